import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startCopiedPages } from './start-copied-pages.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/**
 * Makes a folder with a fake package `next`. `program` is the code of the package, and `prepare` is the body of its
 * function `prepare`.
 */
function withNext({ program = '', prepare = '' }): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-pages-'))
  folders.push(folder)
  const next = path.join(folder, 'node_modules/next')
  mkdirSync(next, { recursive: true })
  writeFileSync(path.join(next, 'package.json'), JSON.stringify({ name: 'next', main: 'index.cjs' }))
  writeFileSync(
    path.join(next, 'index.cjs'),
    `${program}\nmodule.exports = () => ({ prepare: async () => { ${prepare} } })`,
  )
  return folder
}

it('startCopiedPages() reports no missing module if the pages start', () => {
  expect(startCopiedPages(withNext({ prepare: "console.log('ready')" })).quoted).toEqual([])
})

it.each([
  ['at the import', { program: "require('absent-package/' + 'file')" }, 'absent-package/file'],
  ['at the start', { prepare: "require.resolve('@absent/' + 'package')" }, '@absent/package'],
  ['in an import statement', { prepare: "await import('absent' + '-package')" }, 'absent-package'],
])('startCopiedPages() returns the name of a module that is missing %s', (_, next, name) => {
  const { quoted, stderr } = startCopiedPages(withNext(next))
  expect(quoted).toContain(name)
  expect(stderr).toContain('MODULE_NOT_FOUND')
})

it.each([
  ['a different error', { prepare: "throw new Error('no port')" }, 'no port'],
  [
    'an error whose message only looks like a missing module',
    { prepare: `throw new Error("Cannot find module 'x'")` },
    "Cannot find module 'x'",
  ],
])('after %s, the error of startCopiedPages() contains the output of the pages', (_, next, text) => {
  expect(() => startCopiedPages(withNext(next))).toThrow(`The copied pages do not start.`)
  expect(() => startCopiedPages(withNext(next))).toThrow(text)
})
