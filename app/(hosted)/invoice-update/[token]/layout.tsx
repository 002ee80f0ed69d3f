export { Layout as default } from './invoice-update.tsx'
