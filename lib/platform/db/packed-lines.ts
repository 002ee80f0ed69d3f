import { createReadStream } from 'node:fs'
import { access, link, open, rm, stat } from 'node:fs/promises'
import { pipeline as joined } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { refuse } from '../../kernel/refusal.ts'
import { codeOf } from './one-connection.ts'

/** This file writes and reads gzip files of lines. The files can be larger than the memory. */

const newline = 0x0a

/**
 * Writes a new file that only its owner can read. The file is written completely or not at all. Throws a `Refusal` on
 * `field`, before it reads the first line, if the file exists or cannot be written.
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
 * Reads the lines of a file. Throws a `Refusal` on `field` if the file is missing or unreadable, or if a line is over
 * the limit. Throws an error with the code `Z_…` for a file without gzip compression.
 */
export async function* readPacked(from: string, field: string): AsyncGenerator<Buffer> {
  const found = await stat(from).catch((error) => {
    throw error.code === 'ENOENT'
      ? refuse('file_unreadable', field, 'The file does not exist.')
      : fileRefusal(error, field, 'read')
  })
  if (found.isDirectory()) throw refuse('file_unreadable', field, 'The path is a folder, not a file.')
  if (!found.isFile()) throw refuse('file_unreadable', field, 'The path is not a regular file.')
  const unpacked = createGunzip()
  // If the file stream or the decompression stream is destroyed, `joined` destroys the other stream too. The reader of
  // the lines gets the error.
  joined(createReadStream(from), unpacked, () => undefined)
  try {
    yield* linesOf(unpacked)
  } catch (error) {
    if (error instanceof LongLine) throw refuse('file_line_too_long', field, error.message)
    throw fileRefusal(error, field, 'read')
  }
}

export class CutLine extends Error {}

/** Thrown for a line over the limit, because a few compressed bytes can expand to any length. */
class LongLine extends Error {}

/**
 * The first line has a lower limit, because it is read before the file is trusted. The limit of the other lines is high, because a line can contain a bank
 * file.
 */
const mostBytes = { first: 1024 * 1024, other: 256 * 1024 * 1024 } as const

/** Splits a stream into lines of bytes, because a chunk can end within a character. Copies each byte at most once. */
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

const taken = (field: string) =>
  refuse('file_exists', field, 'A file with this name already exists, or is being written.')

function fileRefusal(error: unknown, field: string, done: 'read' | 'written'): unknown {
  const code = codeOf(error)
  if (code === 'EEXIST') return taken(field)
  const isOfFile =
    code !== null && /^E[A-Z]+$/.test(code) && 'syscall' in Object(error) && !('address' in Object(error))
  return isOfFile ? refuse('file_unreadable', field, `The file cannot be ${done} (${code}).`) : error
}
