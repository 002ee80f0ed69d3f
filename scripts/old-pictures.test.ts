import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareFolder } from './old-pictures.ts'

let parent: string
const folder = () => path.join(parent, 'hosted-en-dark-390')

beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), 'billhook-old-pictures-'))
  for (const name of ['hosted-en-dark-390', 'operator-en-dark-390']) {
    mkdirSync(path.join(parent, name))
    for (const page of ['checkout-open', 'checkout-paid', 'portal'])
      writeFileSync(path.join(parent, name, `${page}.png`), '')
    for (const number of ['1', '2']) writeFileSync(path.join(parent, `${name}-${number}.png`), '')
  }
})
afterEach(() => rmSync(parent, { recursive: true }))

const others = ['operator-en-dark-390', 'operator-en-dark-390-1.png', 'operator-en-dark-390-2.png']

it('prepareFolder() deletes only the pictures whose names contain the argument, and the contact sheets of their folder', () => {
  prepareFolder(folder(), 'checkout')
  expect(readdirSync(folder())).toEqual(['portal.png'])
  expect(readdirSync(parent).sort()).toEqual(['hosted-en-dark-390', ...others])
  expect(readdirSync(path.join(parent, 'operator-en-dark-390'))).toHaveLength(3)
})

it('prepareFolder() without an argument deletes all pictures of the folder, and no picture of another folder', () => {
  prepareFolder(folder())
  expect(readdirSync(folder())).toEqual([])
  expect(readdirSync(path.join(parent, 'operator-en-dark-390'))).toHaveLength(3)
})

it('prepareFolder() creates the folder of the pictures if this folder is missing', () => {
  rmSync(folder(), { recursive: true })
  prepareFolder(folder())
  expect(readdirSync(folder())).toEqual([])
})
