export { Layout as default } from './withdrawal.tsx'
