export { generateMetadata, Page as default } from './withdrawal.tsx'
