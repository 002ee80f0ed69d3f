// @ts-check
// A lock that cannot become stale: a listening local socket, which closes when its process ends.
import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** @typedef {{ pid: number, purpose: string }} Holder */

/**
 * @param {string} file the file or folder to lock, in an existing folder @param {string} purpose shown to other
 * processes
 * @returns {Promise<{ release: () => Promise<void> } | null>} null if another process holds the lock
 */
export async function takeLock(file, purpose) {
  const address = addressOf(file)
  const server = net.createServer((socket) => {
    socket.on('error', () => {}) // a client may disconnect early
    socket.end(JSON.stringify({ pid: process.pid, purpose }))
  })
  if (!(await listens(server, address))) {
    if (await askHolder(file)) return null
    // The holder has ended. On Linux and Windows, the socket of the holder is gone too, so a later call can take the lock. On other
    // systems, the file of the socket still exists and must be removed.
    if (process.platform === 'linux' || process.platform === 'win32') return null
    rmSync(address, { force: true })
    if (!(await listens(server, address))) return null
  }
  server.unref()
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** @param {string} file @returns {Promise<Holder | null>} null if no process holds the lock */
export function askHolder(file) {
  return new Promise((resolve) => {
    let answer = ''
    const socket = net.connect(addressOf(file))
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(answer === '' ? null : JSON.parse(answer)))
  })
}

/**
 * Waits for the current holder, then runs `work` with the lock.
 * @template T @param {string} file @param {string} purpose @param {() => Promise<T>} work
 */
export async function whileLocked(file, purpose, work) {
  let lock = await takeLock(file, purpose)
  while (!lock) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    lock = await takeLock(file, purpose)
  }
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/** @param {string} file */
function addressOf(file) {
  const id = createHash('sha256').update(realPath(file)).digest('hex').slice(0, 32)
  if (process.platform === 'linux') return `\0billhook-${id}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\billhook-${id}`
  return path.join(os.tmpdir(), `billhook-${id}.sock`)
}

/**
 * Resolves links in the folder path. Does not resolve a file that is itself a link, because the target of the link has its own lock.
 * @param {string} file
 */
function realPath(file) {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file))
  } catch {
    return path.resolve(file) // the folder does not exist, so nobody holds a lock in it
  }
}

/** @param {net.Server} server @param {string} address @returns {Promise<boolean>} */
function listens(server, address) {
  return new Promise((resolve, reject) => {
    const onError = (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error)
    server.once('error', onError)
    server.listen(address, () => {
      server.off('error', onError)
      resolve(true)
    })
  })
}
