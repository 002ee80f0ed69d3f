import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readPacked } from './packed-lines.ts'

const first = (from: string) => readPacked(from, 'from').next()

it.each(['.', 'no/such/file'])('%s is no file', async (from) => {
  await expect(first(from)).rejects.toMatchObject({ on: { from: ['There is no such file.'] } })
})

// A file that is there and cannot be read.
const unreadable = '/proc/self/mem'
it.skipIf(!existsSync(unreadable))('a file that cannot be read is refused', async () => {
  await expect(first(unreadable)).rejects.toMatchObject({ on: { from: ['The file cannot be read (EIO).'] } })
})

it('a file that is not packed says so by its code', async () => {
  await expect(first('package.json')).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
})
