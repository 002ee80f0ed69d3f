// @ts-check
// This module records facts about a running installation for other processes of its owner.
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
 * Returns the record of the running installation, or null. A killed process can leave its record behind, so a record is valid only while the
 * recorded process holds the lock of the database.
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
