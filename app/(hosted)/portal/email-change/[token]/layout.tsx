export { Layout as default } from './email-change.tsx'
