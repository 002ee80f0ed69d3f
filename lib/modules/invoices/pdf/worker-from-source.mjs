// @ts-check
// The program of the drawing threads in tests and in `npm run dev`. Its imports are TypeScript, which needs a loader.
import { register } from 'tsx/esm/api'

register()
await import('./worker.mjs')
