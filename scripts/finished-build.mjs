// @ts-check
// A container image has no sources or build tools, and may be read-only. Its `finished-build.json` names the finished
// programs, so nothing is installed or built.
import path from 'node:path'
import { read } from './atomic-file.mjs'
import { root } from './environment.mjs'
import { UserFacingError } from './user-facing-error.mjs'

const file = path.join(root, 'finished-build.json')

/** @returns {string | null} the folder of the bundled programs; null in a clone, which builds them if needed */
export function finishedPrograms() {
  const text = read(file)
  return text === null ? null : path.join(root, JSON.parse(text).programs)
}

export function requireDatabaseUrl() {
  if (finishedPrograms() !== null && !process.env.DATABASE_URL)
    throw new UserFacingError('DATABASE_URL must be set: the container image has no embedded PostgreSQL.')
}
