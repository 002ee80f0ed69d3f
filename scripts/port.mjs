// @ts-check
// Checks, before slower steps, that the port is free. Requires only Node.js.
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunning } from './running.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** Milliseconds to wait for a killed process to end. */
export const patienceMs = 3000

/**
 * Throws a UserFacingError if this process cannot listen on the port.
 * @param {number} port @param {string | null} [address] an IP address; null means all addresses
 */
export async function refuseTakenPort(port, address = null) {
  for (const patience = Date.now() + patienceMs; ; await sleep(100)) {
    const trouble = await listenError(port, address)
    if (!trouble) return
    if (trouble === 'EACCES')
      throw new UserFacingError(`Port ${port} needs more rights than this user has. Set PORT to another port.`)
    if (trouble === 'EADDRNOTAVAIL')
      throw new UserFacingError(
        `This machine does not have the address ${address}. Set LISTEN_ADDRESS to an address of this machine.`,
      )
    if (trouble !== 'EADDRINUSE')
      throw new UserFacingError(`Port ${port} cannot be used (${trouble}). Set PORT to another port.`)
    if (Date.now() < patience) continue
    const running = process.env.DATABASE_URL ? null : await findRunning()
    throw running ? alreadyRuns(running) : takenPort(port)
  }
}

/** @param {number} port */
export const takenPort = (port) =>
  new UserFacingError(`Port ${port} is in use by another program. End the program, or set PORT to another port.`)

/** @param {{ pid: number, baseUrl?: string }} running */
export const alreadyRuns = ({ pid, baseUrl }) =>
  new UserFacingError(`Billhook already runs from this folder: process ${pid}${baseUrl ? ` at ${baseUrl}` : ''}.`)

/**
 * @param {number} port @param {string | null} address
 * @returns {Promise<string | undefined>} why this process cannot listen on the port
 */
function listenError(port, address) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code))
    probe.listen({ port, ...(address && { host: address }) }, () => probe.close(() => resolve(undefined)))
  })
}
