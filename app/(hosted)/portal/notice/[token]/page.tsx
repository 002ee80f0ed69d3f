export { generateMetadata, Page as default } from './notice.tsx'
