export { generateMetadata, Page as default } from './payment.tsx'
