export { generateMetadata, Page as default } from './link.tsx'
