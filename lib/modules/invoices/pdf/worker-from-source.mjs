// @ts-check
// The program of a drawing thread where nothing is bundled, as in tests: what it imports is TypeScript.
import { register } from 'tsx/esm/api'

register()
await import('./worker.mjs')
