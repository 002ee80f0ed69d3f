#!/usr/bin/env node
// In a clone of the repository, bundle the program first, because its sources may have changed.
import { existsSync } from 'node:fs'

const builder = new URL('../scripts/build.mjs', import.meta.url)
if (existsSync(builder)) await (await import(builder.href)).bundle()
const { start } = await import('../dist/billhook.js')
await start()
