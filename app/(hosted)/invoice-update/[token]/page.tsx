export { generateMetadata, Page as default } from './invoice-update.tsx'
