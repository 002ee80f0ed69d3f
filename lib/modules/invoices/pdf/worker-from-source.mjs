// @ts-check
// The worker of tests. Its imports are TypeScript, which needs a loader.
import { register } from 'tsx/esm/api'

register()
await import('./worker.mjs')
