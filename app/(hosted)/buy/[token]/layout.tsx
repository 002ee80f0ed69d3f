export { Layout as default } from './buy.tsx'
