import { secondsBetween, share } from './period.ts'

/** An amount for the time from a moment up to another. */
export interface TimedAmount {
  readonly from: Date
  readonly until: Date
  readonly amount: bigint
}

/** Parts of a minor unit, so that an amount is rounded once, at the end. */
const scale = 1_000_000_000_000n

/**
 * What amounts for parts of a period are for a full one of `seconds`, as `paid` is. Each is for its own time, and what
 * is left of the earlier ones when a later one begins is carried over to the time of that: a change credited the one
 * and charged the other, also where it moved the end of the period. What is left at the end is for the time until
 * `endAt`.
 */
export function asFullPeriod(amounts: readonly TimedAmount[], { endAt, seconds }: { endAt: Date; seconds: bigint }) {
  const inOrder = [...amounts].sort((a, b) => a.from.getTime() - b.from.getTime())
  let [rest, from, until] = [0n, endAt, endAt]
  for (const each of inOrder) {
    const left = share(rest, secondsBetween(each.from, until), secondsBetween(from, until))
    rest = left + each.amount * scale
    from = each.from
    until = each.until
  }
  return share(rest, seconds, secondsBetween(from, endAt) * scale)
}
