import { secondsBetween, share } from './period.ts'

/** An amount for a span of time. */
export interface TimedAmount {
  readonly from: Date
  readonly until: Date
  readonly amount: bigint
  /** When the amount was billed, if that was before its time began: a fast-forward bills a period ahead. */
  readonly since?: Date
}

/** Parts of a minor unit, so that an amount is rounded only once. */
const scale = 1_000_000_000_000n

/**
 * Converts amounts for parts of a period to the amount of a full period of `seconds`, as `paid` has it. Each amount is
 * for its own time. When a later amount begins, the unused rest of the earlier ones is spread over the time of the
 * later one: a change credited the first and charged the second, and may have moved the end of the period. An earlier
 * amount whose time has not begun by then is carried over in full. The rest at the end is for the time until `endAt`.
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
