export { generateMetadata, Page as default } from './email-change.tsx'
