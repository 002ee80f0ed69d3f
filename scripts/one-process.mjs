// @ts-check
// One of the processes that `supervisor.mjs` runs. Its programs are bundled and its environment is checked.
import './profile-signal.mjs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './environment.mjs'

const farewellMs = 5_000

const [programs = ''] = process.argv.slice(2)
const part = process.env.BILLHOOK_PART
// On few cores, ten thousand renewals at midnight must not delay people who wait for a response.
if (part === 'tasks') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
let stopping = false

/** @param {'now' | 'gently' | 'patiently'} ending */
async function stop(ending) {
  if (stopping) return
  stopping = true
  const { stop: end } = await serving
  await end(ending)
  await connectionsAreReturned()
  process.exit(0)
}

/**
 * The supervisor may have handed over a connection just before it learned that this process takes no more. Node.js
 * returns the connection only while this process lives. Otherwise the client would wait forever.
 */
async function connectionsAreReturned() {
  if (!process.connected) return
  const farewell = new Promise((resolve) =>
    process.on('message', (message) => message === 'farewell' && resolve(undefined)),
  )
  process.send?.('leaving')
  await Promise.race([farewell, sleep(farewellMs)])
}

// Ctrl-C and the end of a terminal reach all processes of the group, and the supervisor decides what follows.
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
