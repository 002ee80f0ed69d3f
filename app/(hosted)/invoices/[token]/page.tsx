export { generateMetadata, Page as default } from './invoice.tsx'
