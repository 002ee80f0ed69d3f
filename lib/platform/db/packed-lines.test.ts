import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { linesOf, readPacked } from './packed-lines.ts'

const first = (from: string) => readPacked(from, 'from').next()

it.each([
  ['no/such/file', 'The file does not exist.'],
  ['.', 'The path is a folder, not a file.'],
  ['/dev/null', 'The path is not a regular file.'],
  ['package.json/file', 'The file cannot be read (ENOTDIR).'],
])('reading the gzip file %s is refused: %s', async (from, sentence) => {
  await expect(first(from)).rejects.toMatchObject({ on: { from: [sentence] } })
})

const unreadable = '/proc/self/mem'
it.skipIf(!existsSync(unreadable))('an unreadable gzip file is refused', async () => {
  await expect(first(unreadable)).rejects.toMatchObject({ on: { from: ['The file cannot be read (EIO).'] } })
})

it('a file without gzip compression is refused with the error code Z_DATA_ERROR', async () => {
  await expect(first('package.json')).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
})

const chunks = async function* (...all: string[]) {
  for (const each of all) yield Buffer.from(each)
}
async function read(lines: AsyncGenerator<Buffer>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line.toString())
  return found
}

it('a line that spans several chunks of a gzip file is read as one line', async () => {
  expect(await read(linesOf(chunks('a', 'b\nc', '', '\n', '\nd\ne\n')))).toEqual(['ab', 'c', '', 'd', 'e'])
  await expect(read(linesOf(chunks('a\n', 'b')))).rejects.toThrow('the last line has no end')
})

it.each([
  ['the first line', ['12345', '6\n'], '5'],
  ['a later line', ['1\n12345678', '901\n'], '10'],
  ['a later line in one chunk', ['1\n12345678901\n2\n'], '10'],
  ['a line without an end', ['1\n', '123456789', '0123', '4'], '10'],
])('reading a gzip file stops at the length limit of %s', async (_, given, most) => {
  const lines = linesOf(chunks(...given), { first: 5, other: 10 })
  await expect(read(lines)).rejects.toThrow(`A line of the file is longer than ${most} bytes.`)
})

it('a line that spans many chunks of a gzip file is joined in a single concatenation', async () => {
  const concat = vi.spyOn(Buffer, 'concat')
  onTestFinished(() => void concat.mockRestore())
  const long = Array<string>(2_000).fill('x'.repeat(1_000))
  const found = await read(linesOf(chunks('head\n', ...long, '\n')))
  expect(found.map((each) => each.length)).toEqual([4, 2_000_000])
  expect(concat).toHaveBeenCalledTimes(1)
})

it('a small gzip file is refused if it expands to an extremely long line', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'billhook-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'bomb')
  writeFileSync(file, gzipSync(Buffer.alloc(32 * 1024 * 1024, '[')))
  await expect(readPacked(file, 'in').next()).rejects.toMatchObject({
    details: { reason: 'file_line_too_long' },
    on: { in: ['A line of the file is longer than 1,048,576 bytes.'] },
  })
})
