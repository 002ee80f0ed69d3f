import { secondsBetween, share } from './period.ts'

/** An amount for the time from a moment up to another. */
export interface TimedAmount {
  readonly from: Date
  readonly until: Date
  readonly amount: bigint
  /** When it was billed, if that was before its time began: a fast-forward bills a period ahead. */
  readonly since?: Date
}

/** Parts of a minor unit, so that an amount is rounded once, at the end. */
const scale = 1_000_000_000_000n

/**
 * What amounts for parts of a period are for a full one of `seconds`, as `paid` is. Each is for its own time, and what
 * is left of the earlier ones when a later one begins is carried over to the time of that: a change credited the one
 * and charged the other, also where it moved the end of the period. Of an earlier one whose time has not begun by then,
 * all is left. What is left at the end is for the time until `endAt`.
 */
export function asFullPeriod(amounts: readonly TimedAmount[], { endAt, seconds }: { endAt: Date; seconds: bigint }) {
  const inOrder = [...amounts].sort((a, b) => billedAt(a) - billedAt(b))
  let [rest, from, until] = [0n, endAt, endAt]
  for (const each of inOrder) {
    const left = share(rest, secondsBetween(each.from > from ? each.from : from, until), secondsBetween(from, until))
    rest = left + each.amount * scale
    from = each.from
    until = each.until
  }
  return share(rest, seconds, secondsBetween(from, endAt) * scale)
}

const billedAt = ({ since, from }: TimedAmount): number => (since && since < from ? since : from).getTime()
