export { generateMetadata, Page as default } from './buy.tsx'
