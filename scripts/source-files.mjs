// @ts-check
// The source files of a build and their hash, which identifies the build. A file is read only if it changed since the
// last time, because reading all files takes longer than the rest of a command.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { read, write } from './atomic-file.mjs'
import { root } from './environment.mjs'

/** @param {string} name a file or folder, relative to the root @returns {string[]} sorted, with forward slashes */
export function filesBelow(name) {
  const full = path.join(root, name)
  if (!existsSync(full)) return []
  return statSync(full).isFile() ? [name] : filesIn(name)
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
}

/** A file that changed this recently can change again within the same tick of the file system's clock. */
const unsureMs = 2_000

const notes = path.join(root, 'node_modules/.cache/billhook-sources.json')

/**
 * Excludes tests and READMEs, which are not part of a program.
 * @param {string[]} files relative to the root
 * @param {string} [memory] the file with the known files
 */
export function hashOf(files, memory = notes) {
  const known = /** @type {Record<string, [state: string, hash: string]>} */ (JSON.parse(read(memory) ?? '{}'))
  const now = Date.now()
  const sum = createHash('sha256')
  let isNew = false
  for (const file of files) {
    if (/\.(test\.tsx?|md)$/.test(file)) continue
    const full = path.join(root, file)
    const { size, mtimeMs, ctimeMs, ino } = statSync(full)
    const state = [size, mtimeMs, ctimeMs, ino].join(' ')
    let [seen, hash = ''] = known[file] ?? []
    if (seen !== state) {
      hash = createHash('sha256').update(readFileSync(full)).digest('base64url')
      if (now - ctimeMs > unsureMs) {
        known[file] = [state, hash]
        isNew = true
      }
    }
    sum.update(`${file}\0${hash}\n`)
  }
  if (isNew) {
    mkdirSync(path.dirname(memory), { recursive: true })
    write(memory, JSON.stringify(known))
  }
  return sum.digest('hex').slice(0, 32)
}
