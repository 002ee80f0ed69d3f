export { Layout as default } from './payment.tsx'
