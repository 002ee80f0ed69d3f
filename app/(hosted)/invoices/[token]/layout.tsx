export { Layout as default } from './invoice.tsx'
