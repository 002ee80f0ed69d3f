// @ts-check
// The hash of the source files identifies a build. Hashes of unchanged files are stored, because reading all files
// would take longer than the rest of a command.
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

/** A file that changed less than this number of milliseconds ago can change again without a new modification time. */
const unsureMs = 2_000

const notes = path.join(root, 'node_modules/.cache/billhook-sources.json')

/**
 * Returns a hash of the files, without tests and Markdown files.
 * @param {string[]} files relative to the root @param {string} [memory] the file with known hashes
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
