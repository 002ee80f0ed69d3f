import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { Refusal } from '../../kernel/refusal.ts'
import { Busy, WorkQueue } from '../../platform/work-queue.ts'
import type { Logo } from './rules/brand.ts'
import {
  formatOf,
  type LogoExtension,
  type LogoFormat,
  type LogoProblem,
  logoLimits,
  platesFor,
  storedBox,
} from './rules/logo.ts'

export interface EncodedLogo extends Logo {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Encodes one logo at a time. A slow logo delays other logos, but no other work. */
const queue = new WorkQueue({ atOnce: 1, most: 8, mostOfOne: 2, retryAfterSeconds: 10 })

/** Removes scripts, metadata, and all frames except the first. Equal files give equal bytes. Throws `unavailable` if the queue is full. */
export async function encodeLogo(
  storefrontId: string,
  file: Uint8Array,
  { seconds }: { readonly seconds: number } = logoLimits,
): Promise<EncodedLogo | { problem: LogoProblem }> {
  const claimed = formatOf(file)
  if ('problem' in claimed) return claimed
  try {
    return await queue.run(storefrontId, () => decode(claimed.format, file, seconds))
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    throw new Refusal('unavailable', {}, { retryAfterSeconds: error.retryAfterSeconds })
  }
}

async function decode(format: LogoFormat, file: Uint8Array, seconds: number) {
  const { pixels, memory } = logoLimits
  const answer = await answerOf({ format, pixels, memory, ...storedBox }, file, seconds)
  return answer === null ? { problem: 'costly' as const } : logoOf(answer)
}

const program = path.join(process.cwd(), 'lib/modules/brand/encode-logo.mjs')
const mostBytes = 2 * 1024 * 1024

function answerOf(task: object, file: Uint8Array, seconds: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      // The decoder of an untrusted file gets no database URL and no secret key.
      env: { NODE_ENV: 'production', VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const parts: Buffer[] = []
    let size = 0
    let isKilled = false
    const kill = () => {
      isKilled = true
      child.kill('SIGKILL')
    }
    const ends = setTimeout(kill, seconds * 1000)
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part)
      size += part.length
      if (size > mostBytes) kill()
    })
    child.once('error', (error) => {
      clearTimeout(ends)
      reject(error)
    })
    child.once('close', () => {
      clearTimeout(ends)
      resolve(isKilled ? null : Buffer.concat(parts))
    })
    // Ignores a write error, because the child may exit before it has read the whole file.
    child.stdin.on('error', () => undefined)
    child.stdin.end(file)
  })
}

interface Head {
  readonly problem?: LogoProblem
  readonly extension: LogoExtension
  readonly width: number
  readonly height: number
  readonly sampleBytes: number
}

function logoOf(answer: Buffer): EncodedLogo | { problem: LogoProblem } {
  const end = answer.indexOf('\n')
  if (end < 0) return { problem: 'unreadable' }
  const { problem, extension, width, height, sampleBytes } = JSON.parse(answer.toString('utf8', 0, end)) as Head
  if (problem) return { problem }
  const rest = answer.subarray(end + 1)
  const bytes = new Uint8Array(rest.subarray(sampleBytes))
  const plates = platesFor(rest.subarray(0, sampleBytes))
  return {
    hash: createHash('sha256').update(bytes).digest('hex'),
    extension,
    width,
    height,
    plateInLight: plates.light,
    plateInDark: plates.dark,
    bytes,
  }
}
