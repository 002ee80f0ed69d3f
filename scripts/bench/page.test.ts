import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSection, writeTop } from './page.ts'

describe('a page of figures', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-page-'))
    file = path.join(folder, 'page.md')
    writeFileSync(file, '# Figures\n\n1\n\n## By hand\n\n2\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('a page of figures keeps its sections when its top is replaced', () => {
    writeTop(file, '# Figures\n\n3\n')
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n3\n\n## By hand\n\n2\n')
  })

  it('a new section is added at the end, and the next run replaces it', () => {
    for (const text of ['4\n', '5\n']) writeSection(file, 'Peers', text)
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n1\n\n## By hand\n\n2\n\n## Peers\n\n5\n')
  })

  it('replacing a section keeps the text around it', () => {
    writeSection(file, 'Peers', '4\n')
    writeSection(file, 'By hand', '6\n')
    expect(readFileSync(file, 'utf8')).toBe('# Figures\n\n1\n\n## By hand\n\n6\n\n## Peers\n\n4\n')
  })
})
