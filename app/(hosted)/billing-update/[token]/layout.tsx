export { Layout as default } from './billing-update.tsx'
