import { randomBytes, randomInt } from 'node:crypto'
import { base62FromBytes, type IdPrefix, makeId, microsecondOf } from '../../kernel/ids.ts'

const epoch = Date.UTC(2026, 0, 1)
let last = 0n

/** The maximum number of microseconds by which ids may be ahead of the clock during a burst. A larger difference means that the clock was set back. */
const mostAhead = 1_000_000n

/** Real time in microseconds since 2026. Values are unique in a process, unless the system clock is set back. */
function nextMicrosecond(): bigint {
  const now = BigInt(Date.now() - epoch) * 1000n
  last = now > last || last - now > mostAhead ? now : last + 1n
  return last
}

/** Ids created with the same `now` sort in the order of their creation. */
export function newId(prefix: IdPrefix, now: Date): string {
  const random = BigInt(randomInt(2 ** 44))
  return makeId(prefix, Math.floor(now.getTime() / 1000), nextMicrosecond(), random)
}

/** Each character has about 5.95 bits of entropy. */
export const randomBase62 = (length: number): string => base62FromBytes(randomBytes(length * 2), length)

/** The real time at which an id was created. On a test clock, this time differs from the time in the resource. */
export const realTimeOf = (id: string): Date => new Date(epoch + Number(microsecondOf(id) / 1000n))
