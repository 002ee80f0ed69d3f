export { Layout as default } from './notice.tsx'
