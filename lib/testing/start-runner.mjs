// @ts-check
// Starts a runner: a process that runs lib/testing/runner.ts, bundled into the file of its first argument. The first
// process that is ready saves what V8 compiled, with which the next ones start in two thirds of the time.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'

// Prisma compiles queries with WebAssembly, and optimizing that takes longer than most processes live.
setFlagsFromString('--liftoff-only')

const [, , file = ''] = process.argv
const cache = `${file}.cache`
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
const script = new vm.Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file, cachedData })
const program = { exports: { ready: Promise.resolve() } }
script.runInThisContext()(program.exports, createRequire(file), program, file, path.dirname(file))
await program.exports.ready
if (!cachedData) {
  const draft = `${cache}.${process.pid}`
  writeFileSync(draft, script.createCachedData())
  renameSync(draft, cache)
}
process.send?.('ready')
