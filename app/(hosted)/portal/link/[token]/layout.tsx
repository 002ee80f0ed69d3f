export { Layout as default } from './link.tsx'
