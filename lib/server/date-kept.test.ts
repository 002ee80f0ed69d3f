import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { withDateKept } from './date-kept.ts'

const before = Date
const require = createRequire(import.meta.url)

it('Next does not keep its own Date', async () => {
  const within = await withDateKept(async () => {
    require('next/dist/server/node-environment-extensions/date')
    return Date
  })
  expect(within).not.toBe(before) // Next has stopped doing so: then this module can go.
  expect(Date).toBe(before)
  expect(new Date(0).constructor).toBe(before)
})

it('nor if it could not be loaded', async () => {
  const loading = withDateKept(async () => {
    globalThis.Date = class extends before {} as DateConstructor
    throw new Error('not built')
  })
  await expect(loading).rejects.toThrow('not built')
  expect(Date).toBe(before)
})
