export { generateMetadata, Page as default } from './checkout.tsx'
