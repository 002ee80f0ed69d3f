// @ts-check
// One of the processes that `supervisor.mjs` starts, with bundled programs and a checked environment.
import './profile-signal.mjs'
import os from 'node:os'
import path from 'node:path'
import { root } from './environment.mjs'

const [programs = ''] = process.argv.slice(2)
const part = process.env.BILLHOOK_PART
// Tasks have a lower priority than requests, because ten thousand renewals at midnight must not delay responses on a
// machine with few cores.
if (part === 'tasks') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
let stopping = false

/** @param {'now' | 'gently' | 'patiently'} ending */
async function stop(ending) {
  if (stopping) return
  stopping = true
  const { stop: end } = await serving
  await end(ending)
  process.exit(0)
}

// Ctrl-C reaches all processes of the group. This process ignores Ctrl-C, because the supervisor decides when this
// process stops.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
process.on('SIGTERM', () => stop('gently'))
process.on('message', (message) => {
  if (message === 'stop') stop('gently')
  if (message === 'retire') stop('patiently')
})

const serving = (async () => {
  const { start } = await import(path.join(programs, 'server.mjs'))
  return start(root, part)
})()

try {
  await serving
  process.send?.('ready')
} catch (error) {
  const { name, message } = /** @type {Error} */ (error)
  console.error(name === 'UserFacingError' ? message : error)
  process.exit(1)
}
