export { Layout as default } from './sign-in.tsx'
