export { generateMetadata, Page as default } from './sign-in.tsx'
