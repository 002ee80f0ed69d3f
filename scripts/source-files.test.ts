import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { root } from './environment.mjs'
import { filesBelow, hashOf } from './source-files.mjs'

let folder: string
let memory: string

beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'node_modules/.source-files-'))
  memory = path.join(folder, '../', `${path.basename(folder)}.json`)
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
  rmSync(memory, { force: true })
})

const name = () => path.relative(root, folder)
const put = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
const hash = () => hashOf(filesBelow(name()), memory)
/** The clock of the file system cannot be moved, so this function moves the clock of the program. */
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

it.each([
  ['the content, at the same size and modification time', () => rewrite('a.ts', 'two')],
  ['the size', () => put('a.ts', 'longer')],
  ['a name', () => renameSync(path.join(folder, 'a.ts'), path.join(folder, 'c.ts'))],
  ['a further file', () => put('c.ts', 'one')],
])('the hash of the sources changes with %s, with and without stored hashes', (_, change) => {
  for (const seconds of [0, 60]) {
    rewrite('a.ts', 'one')
    put('b.ts', 'one')
    later(seconds)
    const before = hash()
    expect(hash()).toBe(before)
    change()
    expect(hash()).not.toBe(before)
    rmSync(path.join(folder, 'c.ts'), { force: true })
  }
})

/**
 * Writes the file and sets the same modification time (mtime) at each call. The clock of the file system is coarse, so
 * this function repeats the write until the time of the last change (ctime) differs.
 */
function rewrite(file: string, text: string): void {
  const full = path.join(folder, file)
  const changedAt = () => statSync(full, { throwIfNoEntry: false })?.ctimeMs
  const before = changedAt()
  do {
    put(file, text)
    utimesSync(full, 1_700_000_000, 1_700_000_000)
  } while (changedAt() === before)
}

it('changes to tests and READMEs do not change the hash of the sources', () => {
  put('a.ts', 'one')
  const before = hash()
  put('a.test.ts', 'one')
  put('README.md', 'one')
  expect(hash()).toBe(before)
})

it('the hash of unchanged sources is the same with and without stored hashes', () => {
  put('a.ts', 'one')
  later(60)
  const before = hash()
  expect(JSON.parse(readFileSync(memory, 'utf8'))).toHaveProperty([`${name()}/a.ts`])
  rmSync(memory)
  expect(hash()).toBe(before)
})

it('the hash of a source file is not stored if the file changed within the last two seconds', () => {
  put('a.ts', 'one')
  hash()
  expect(existsSync(memory)).toBe(false)
})
