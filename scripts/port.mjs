// @ts-check
// Checks that the port is free, before anything that takes time. Needs only Node.js.
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunning } from './running.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** How long a start right after a kill waits for the killed process to end. */
export const patienceMs = 3000

/**
 * Throws a one-sentence error if this process cannot listen on the port.
 * @param {number} port
 */
export async function refuseTakenPort(port) {
  for (const patience = Date.now() + patienceMs; ; await sleep(100)) {
    const trouble = await listenError(port)
    if (!trouble) return
    if (trouble === 'EACCES')
      throw new UserFacingError(`Port ${port} needs more rights than this user has; set PORT to another one.`)
    if (trouble !== 'EADDRINUSE')
      throw new UserFacingError(`Port ${port} cannot be used (${trouble}); set PORT to another one.`)
    if (Date.now() < patience) continue
    const running = process.env.DATABASE_URL ? null : await findRunning()
    throw running ? alreadyRuns(running) : takenPort(port)
  }
}

/** @param {number} port */
export const takenPort = (port) =>
  new UserFacingError(`Port ${port} is in use by another program; end it, or set PORT.`)

/** @param {{ pid: number, baseUrl?: string }} running */
export const alreadyRuns = ({ pid, baseUrl }) =>
  new UserFacingError(`Billhook already runs from this folder: process ${pid}${baseUrl ? ` at ${baseUrl}` : ''}.`)

/** @param {number} port @returns {Promise<string | undefined>} why this process cannot listen on the port */
function listenError(port) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code))
    probe.listen(port, () => probe.close(() => resolve(undefined)))
  })
}
