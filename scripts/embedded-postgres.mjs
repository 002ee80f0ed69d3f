// @ts-check
// Runs a real PostgreSQL server from npm packages, with its data in `.data/`, on a free local port.
// PostgreSQL refuses to run as root, so under root it runs as "nobody". If "nobody" cannot access the clone, the data
// is in /var/lib/billhook, and `.data/postgres` is a symbolic link.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnGuarded } from './child-process.mjs'
import { askHolder, takeLock } from './lock.mjs'
import { postgresBinaries, roomForRoot } from './postgres-binaries.mjs'
import { UserFacingError } from './user-facing-error.mjs'

/** @typedef {import('./postgres-binaries.mjs').Owner} Owner */

/**
 * The settings name `fsync` and `synchronous_commit`, although both are on by default, because a crash must not lose
 * payments.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // A socket path is limited to about 100 bytes, but the path of a clone is not.
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log', // The level must not be 'error': the text and details of a failed statement contain personal data.
}

/** PostgreSQL reads many environment variables (PGDATA, PGPORT, TZ, …), which must not affect this server. */
const BARE = /** @type {any} */ ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' })

const INITDB =
  '-U billhook -A trust -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --data-checksums'.split(
    ' ',
  )

const NOBODY = { uid: 65534, gid: 65534 }

/** Thrown if another process runs its server on this directory. */
export class DirectoryInUse extends UserFacingError {
  /** @param {import('./lock.mjs').Holder | null} holder */
  constructor(holder) {
    super(`The embedded database is in use by process ${holder?.pid ?? 'unknown'}.`)
    this.holder = holder
  }
}

/**
 * Creates the database if it is missing. Ends a server that a killed process left running. The server ends when this process
 * dies.
 * @param {object} options
 * @param {string} options.directory the data directory, such as `.data/postgres`
 * @param {string} [options.purpose] shown to a process that finds the directory in use
 * @param {Record<string, string>} [options.settings] override our settings; the default port is a free port
 * @returns {Promise<{ url: string, stop: () => Promise<void>, exited: Promise<void> }>} `exited` settles when the server ends
 */
export async function startEmbedded({ directory, purpose = 'embedded database', settings = {} }) {
  if (process.platform === 'win32')
    throw new UserFacingError('The embedded PostgreSQL does not support Windows. Set DATABASE_URL.')
  mkdirSync(path.dirname(directory), { recursive: true })
  const locks = [await requireLock(directory, purpose)]
  const release = async () => {
    for (const lock of locks) await lock.release()
  }
  try {
    const owner = ownerOf(directory)
    const binaries = await postgresBinaries(owner, path.dirname(directory))
    if (!existsSync(path.join(directory, 'PG_VERSION'))) initialise(directory, owner, binaries.folder)
    const data = realpathSync(directory)
    // In a copied clone, a symbolic link can lead to the data of the original clone. The data therefore has its own lock.
    if (lstatSync(directory).isSymbolicLink()) locks.push(await requireLock(data, purpose))
    makeUsable(data, owner, binaries.major)
    await endPrevious(data)
    const program = path.join(binaries.folder, 'bin/postgres')
    const server = await launch(data, `${directory}.log`, program, owner, { ...SETTINGS, ...settings })
    const exited = server.exited.then(release)
    const password = readFileSync(path.join(data, 'billhook.password'), 'utf8')
    return {
      url: `postgresql://billhook:${password}@127.0.0.1:${server.port}/billhook`,
      exited,
      stop: async () => {
        server.stop()
        await exited
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** @param {string} directory @param {string} purpose */
async function requireLock(directory, purpose) {
  const lock = await takeLock(directory, purpose)
  if (!lock) throw new DirectoryInUse(await askHolder(directory))
  return lock
}

/**
 * Returns the user who runs PostgreSQL. If this process runs as root, PostgreSQL runs as the owner of the data, or as
 * `nobody` if the data does not exist or belongs to root. In all other cases, PostgreSQL runs as the user of this process.
 * @param {string} directory
 * @returns {Owner}
 */
function ownerOf(directory) {
  const data = statSync(directory, { throwIfNoEntry: false })
  if (process.getuid?.() === 0) return data && data.uid !== 0 ? { uid: data.uid, gid: data.gid } : NOBODY
  if (data && data.uid !== process.getuid?.())
    throw new UserFacingError(
      `${directory} belongs to the user with the id ${data.uid}. Start as that user or as root.`,
    )
  return undefined
}

/** @param {string} folder @param {Owner} owner */
const canEnter = (folder, owner) =>
  !owner || spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...owner, cwd: '/' }).status === 0

/**
 * Creates the database next to its final location and moves it, so a kill leaves no incomplete database.
 * @param {string} directory @param {Owner} owner @param {string} binaries
 */
function initialise(directory, owner, binaries) {
  removeEmpty(directory)
  const reachable = canEnter(path.dirname(directory), owner)
  const draft = reachable ? `${directory}.draft` : mkdtempSync(path.join(roomForRoot(), 'postgres-'))
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (owner) chownSync(draft, owner.uid, owner.gid)
  const password = randomBytes(24).toString('base64url')
  const options = { ...owner, cwd: '/', env: BARE }
  perform('initdb', path.join(binaries, 'bin/initdb'), ['-D', draft, ...INITDB], options)
  perform('Making the database', path.join(binaries, 'bin/postgres'), ['--single', '-D', draft, 'postgres'], {
    ...options,
    input: `ALTER ROLE billhook PASSWORD '${password}'\nCREATE DATABASE billhook\n`,
  })
  own('pg_hba.conf', 'host all all 127.0.0.1/32 scram-sha-256\n')
  own('billhook.password', password)
  if (reachable) renameSync(draft, directory)
  else symlinkSync(draft, directory)

  /** @param {string} name @param {string} text */
  function own(name, text) {
    const file = path.join(draft, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (owner) chownSync(file, owner.uid, owner.gid)
  }
}

/**
 * @param {string} title @param {string} program @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
function perform(title, program, args, options) {
  const { status, error, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new UserFacingError(`${title} failed: ${error?.message ?? String(stderr).trim()}`)
}

/** Removes only a broken link or an empty folder. @param {string} directory */
function removeEmpty(directory) {
  const there = lstatSync(directory, { throwIfNoEntry: false })
  if (!there) return
  if (there.isSymbolicLink() && !existsSync(directory)) return unlinkSync(directory)
  if (there.isDirectory() && readdirSync(directory).length === 0) return rmdirSync(directory)
  throw new UserFacingError(`${directory} exists and is not a PostgreSQL database. Move the directory away.`)
}

/** @param {string} data @param {Owner} owner @param {string} major */
function makeUsable(data, owner, major) {
  const version = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== major)
    throw new UserFacingError(
      `${data} was written by PostgreSQL ${version}, but the embedded version is ${major}. Set DATABASE_URL, or move the directory away.`,
    )
  // In a clone that root copied with `cp -r`, root owns all files.
  if (owner && statSync(data).uid === 0)
    perform('Giving the data to its user', 'chown', ['-R', `${owner.uid}:${owner.gid}`, data], {})
  // After a clone was moved, the server's user may be unable to reach the data.
  if (!canEnter(data, owner))
    throw new UserFacingError(
      `The user with the id ${owner?.uid} cannot reach ${data}. Move the directory to /var/lib/billhook, and create a symbolic link.`,
    )
}

/**
 * Ends a server that a killed process left running. The lock guarantees that no process uses the server. If the pid in
 * `postmaster.pid` belongs to an unrelated process, the file gets an impossible pid. The file is not deleted, because
 * PostgreSQL needs the file to detect remaining users of the old shared memory.
 * @param {string} data
 */
async function endPrevious(data) {
  const text = pidFile(data)
  const pid = Number(text.split('\n', 1)[0])
  // Tries a fast shutdown, then an immediate shutdown without a checkpoint, and then a kill. Only a fast shutdown needs no recovery.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGQUIT', 'SIGKILL'])) {
    if (isServerOf(pid, data)) process.kill(pid, signal)
    for (const patience = Date.now() + 10_000; isServerOf(pid, data) && Date.now() < patience; ) await sleep(10)
  }
  if (text && pidFile(data) === text && isAlive(pid))
    writeFileSync(path.join(data, 'postmaster.pid'), text.replace(/^\d+/, '99999999'))
}

/** @param {string} data */
function pidFile(data) {
  try {
    return readFileSync(path.join(data, 'postmaster.pid'), 'utf8')
  } catch {
    return ''
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** @param {number} pid @param {string} data */
function isServerOf(pid, data) {
  if (!pid) return false
  try {
    const commandLine =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        : spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
            .stdout.trim()
            .split(' ')
    return commandLine[0]?.endsWith('/postgres') === true && commandLine.includes(data)
  } catch {
    return false // The process does not exist.
  }
}

/**
 * @param {string} data @param {string} log @param {string} program @param {Owner} owner
 * @param {Record<string, string>} settings
 */
async function launch(data, log, program, owner, settings) {
  for (let attempt = 1; ; attempt++) {
    const before = pidFile(data)
    const port = Number(settings.port ?? (await freePort()))
    const output = openSync(log, 'w', 0o600)
    const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    // The server runs in a separate session, so that Ctrl-C ends this process and not the server.
    const guard = spawnGuarded('INT', program, ['-D', data, ...options], {
      ...owner,
      cwd: '/',
      env: BARE,
      detached: true,
      output,
    })
    closeSync(output)
    /** @type {Promise<void>} */
    const exited = new Promise((resolve, reject) => {
      guard.child.once('exit', () => resolve())
      guard.child.once('error', reject)
    })
    let running = true
    const end = () => {
      running = false
    }
    exited.then(end, end)
    // The eighth line of postmaster.pid is the status: https://www.postgresql.org/docs/18/storage-file-layout.html.
    const isReady = () => {
      const text = pidFile(data)
      return text !== before && text.split('\n')[7]?.trim() === 'ready'
    }
    while (running && !isReady()) await Promise.race([sleep(5), exited])
    if (running) {
      // The server must not keep this process running.
      guard.child.unref()
      guard.lifeline.unref()
      return {
        port,
        exited,
        stop: () => {
          guard.child.ref()
          guard.end()
        },
      }
    }
    const reason = readFileSync(log, 'utf8')
    // Retries if another program took the port, or if processes of a killed server still use the shared memory.
    if (attempt === 100 || !/could not bind|shared memory block/.test(reason))
      throw new UserFacingError(`The embedded PostgreSQL did not start:\n${reason.trim()}`)
    await sleep(100)
  }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
