import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSection, writeTop } from './page.ts'

describe('writeTop and writeSection', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-page-'))
    file = path.join(folder, 'page.md')
    writeFileSync(file, '# Figures\n\n1\n\n## By hand\n\n2\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('writeTop replaces the top of the benchmark page and keeps all sections', () => {
    writeTop(file, '# Figures\n\n3\n')
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n3\n\n## By hand\n\n2\n')
  })

  it('writeSection adds a new section at the end, and replaces an existing section', () => {
    for (const text of ['4\n', '5\n']) writeSection(file, 'Peers', text)
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n1\n\n## By hand\n\n2\n\n## Peers\n\n5\n')
  })

  it('writeSection keeps the text before and after the section', () => {
    writeSection(file, 'Peers', '4\n')
    writeSection(file, 'By hand', '6\n')
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n1\n\n## By hand\n\n6\n\n## Peers\n\n4\n')
  })
})
