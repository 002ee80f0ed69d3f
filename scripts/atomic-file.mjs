// @ts-check
// This module writes small files atomically. Only their owner can read them.
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
 * Creates the file if it does not exist. If several processes call this function concurrently, all get the same text.
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
