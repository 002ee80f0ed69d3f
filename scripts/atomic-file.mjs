// @ts-check
// Small files that outlive a process: written whole or not at all, and readable only by their owner.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** @param {string} file */
export function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** @param {string} file @param {string} text */
export function write(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}

/**
 * If there is no file yet, creates it with `text`; if several processes try, one text wins for all.
 * @param {string} file
 * @param {string} text
 */
export function readOrWrite(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}
