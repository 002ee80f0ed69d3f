export { Layout as default } from './checkout.tsx'
