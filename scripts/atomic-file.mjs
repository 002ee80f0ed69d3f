// @ts-check
// Small files that outlive a process: whole or not there at all, and for their owner's eyes only.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** @param {string} file */
export function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/**
 * @param {string} file
 * @param {string} text
 */
export function write(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}

/**
 * The file's text; where there is none yet, `text` is it from now on, whoever else tries at the same time.
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
