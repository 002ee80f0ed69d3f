import { randomBytes, randomInt } from 'node:crypto'
import { base62FromBytes, type IdPrefix, makeId, microsecondOf } from '../../kernel/ids.ts'

const epoch = Date.UTC(2026, 0, 1)
let last = 0n

/** A burst of ids never gets this far ahead of the clock. A larger lead means that the clock was set back. */
const mostAhead = 1_000_000n

/** Real microseconds since 2026, each once per process, except after a fast clock was corrected. */
function nextMicrosecond(): bigint {
  const now = BigInt(Date.now() - epoch) * 1000n
  last = now > last || last - now > mostAhead ? now : last + 1n
  return last
}

/** A new id on a clock that shows `now`. Ids created one after the other on one clock sort in that order. */
export function newId(prefix: IdPrefix, now: Date): string {
  const random = BigInt(randomInt(2 ** 44))
  return makeId(prefix, Math.floor(now.getTime() / 1000), nextMicrosecond(), random)
}

/** `length` random characters of base62, about 5.95 bits each. */
export const randomBase62 = (length: number): string => base62FromBytes(randomBytes(length * 2), length)

/** The real time at which an id was made. On a test clock, the time of creation differs. */
export const realTimeOf = (id: string): Date => new Date(epoch + Number(microsecondOf(id) / 1000n))
