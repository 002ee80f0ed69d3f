export { generateMetadata, Page as default } from './billing-update.tsx'
