import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readPacked } from './packed-lines.ts'

const first = (from: string) => readPacked(from, 'from').next()

it.each([
  ['no/such/file', 'There is no such file.'],
  ['.', 'It is a folder, not a file.'],
  ['/dev/null', 'It is no ordinary file.'],
  ['package.json/file', 'The file cannot be read (ENOTDIR).'],
])('%s is refused: %s', async (from, sentence) => {
  await expect(first(from)).rejects.toMatchObject({ on: { from: [sentence] } })
})

// A file that is there and cannot be read.
const unreadable = '/proc/self/mem'
it.skipIf(!existsSync(unreadable))('a file that cannot be read is refused', async () => {
  await expect(first(unreadable)).rejects.toMatchObject({ on: { from: ['The file cannot be read (EIO).'] } })
})

it('a file that is not packed says so by its code', async () => {
  await expect(first('package.json')).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
})
