import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { superseded } from './build.mjs'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('bundled programs are removed, except the programs of the current source version and of the four newest other versions', () => {
  const made = (name: string, at: string) => {
    const each = path.join(folder, name)
    mkdirSync(each)
    utimesSync(each, new Date(at), new Date(at))
    return each
  }
  const current = made('current', '2026-01-01')
  expect(superseded(folder, current)).toEqual([])
  const [oldest] = ['2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04', '2027-01-05'].map((at) => made(at, at))
  expect(superseded(folder, current)).toEqual([oldest])
})
