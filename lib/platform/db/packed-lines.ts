import { createReadStream } from 'node:fs'
import { access, link, open, rm, stat } from 'node:fs/promises'
import { pipeline as joined } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { refuse } from '../../kernel/refusal.ts'
import { codeOf } from './one-connection.ts'

/** Files of lines, compressed with gzip, of any size. They are never held in memory. */

const newline = 0x0a

/**
 * Writes a new file, completely or not at all, that only its owner can read. The file is created before the first line
 * is read. Refuses, on `field`, a name that exists or cannot be written.
 */
export async function writePacked(to: string, field: string, lines: AsyncIterable<string | Uint8Array>): Promise<void> {
  const draft = `${to}.part`
  if (await exists(to)) throw taken(field)
  const handle = await open(draft, 'wx', 0o600).catch((error) => {
    throw fileRefusal(error, field, 'written')
  })
  try {
    await pipeline(lines, createGzip(), handle.createWriteStream({ flush: true }))
    await link(draft, to)
  } catch (error) {
    throw fileRefusal(error, field, 'written')
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The lines of such a file. Refuses, on `field`, a file that is missing or cannot be read, and a line that is longer
 * than the limits below. Throws a code `Z_…` for a file that is not compressed.
 */
export async function* readPacked(from: string, field: string): AsyncGenerator<Buffer> {
  const found = await stat(from).catch((error) => {
    throw error.code === 'ENOENT'
      ? refuse('file_unreadable', field, 'There is no such file.')
      : fileRefusal(error, field, 'read')
  })
  if (found.isDirectory()) throw refuse('file_unreadable', field, 'It is a folder, not a file.')
  if (!found.isFile()) throw refuse('file_unreadable', field, 'It is no ordinary file.')
  const unpacked = createGunzip()
  // Destroying one stream destroys the other. The error is thrown to the reader.
  joined(createReadStream(from), unpacked, () => undefined)
  try {
    yield* linesOf(unpacked)
  } catch (error) {
    if (error instanceof LongLine) throw refuse('file_line_too_long', field, error.message)
    throw fileRefusal(error, field, 'read')
  }
}

export class CutLine extends Error {}

/** A line above the limit: a few compressed bytes can expand to any length. */
class LongLine extends Error {}

/** In bytes. The first line is read before the file is trusted. The longest rows are bank files. */
const mostBytes = { first: 1024 * 1024, other: 256 * 1024 * 1024 } as const

/** Lines as bytes, since a byte of a multi-byte character could look like a line end. Copies a byte at most once. */
export async function* linesOf(stream: AsyncIterable<unknown>, most = mostBytes): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  let allowed: number = most.first
  const keep = (bytes: Buffer) => {
    begun.push(bytes)
    length += bytes.length
    if (length > allowed) throw new LongLine(`A line of the file is longer than ${allowed.toLocaleString('en')} bytes.`)
  }
  for await (const chunk of stream) {
    let bytes = chunk as Buffer
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
      keep(bytes.subarray(0, end))
      yield begun.length === 1 ? bytes.subarray(0, end) : Buffer.concat(begun)
      begun = []
      length = 0
      allowed = most.other
      bytes = bytes.subarray(end + 1)
    }
    if (bytes.length > 0) keep(bytes)
  }
  if (length > 0) throw new CutLine('the last line has no end')
}

export function lineEndsIn(bytes: Uint8Array): number {
  let count = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) count += 1
  return count
}

export const line = (value: object): string => `${JSON.stringify(value)}\n`

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

const taken = (field: string) => refuse('file_exists', field, 'There is a file of this name, or one being written.')

function fileRefusal(error: unknown, field: string, done: 'read' | 'written'): unknown {
  const code = codeOf(error)
  if (code === 'EEXIST') return taken(field)
  const isOfFile =
    code !== null && /^E[A-Z]+$/.test(code) && 'syscall' in Object(error) && !('address' in Object(error))
  return isOfFile ? refuse('file_unreadable', field, `The file cannot be ${done} (${code}).`) : error
}
