// @ts-check
// Facts about a running installation for other processes of its owner.
import { rmSync } from 'node:fs'
import { read, write } from './atomic-file.mjs'
import { postgresDirectory, runningFile } from './environment.mjs'
import { askHolder } from './lock.mjs'

/** @typedef {{ pid: number, databaseUrl: string, baseUrl: string, environment: string }} Running */

/** @param {Omit<Running, 'pid'>} running */
export function recordRunning(running) {
  write(runningFile(), `${JSON.stringify({ pid: process.pid, ...running }, null, 2)}\n`)
}

export function recordStopped() {
  rmSync(runningFile(), { force: true })
}

/**
 * Ignores a file that a killed process left behind: the recorded process must hold the lock of the database.
 * @returns {Promise<Running | null>}
 */
export async function findRunning() {
  const holder = await askHolder(postgresDirectory())
  if (!holder) return null
  const text = read(runningFile())
  /** @type {Running | null} */
  const running = text && JSON.parse(text)
  return running?.pid === holder.pid ? running : null
}
