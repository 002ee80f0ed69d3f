import { secondsBetween, share } from './period.ts'

export interface TimedAmount {
  readonly from: Date
  readonly until: Date
  readonly amount: bigint
  /** When the amount was billed, if earlier than its time: a fast-forward bills a period ahead. */
  readonly since?: Date
}

/** An amount is rounded only once. */
const scale = 1_000_000_000_000n

/**
 * Converts amounts for parts of a period to the amount of a full period of `seconds`, as in `paid`. When a later amount
 * begins, the unused rest of the earlier ones is spread over its time: a change credited the first and charged the
 * second, and may have moved the end of the period. An earlier amount whose time has not begun is carried over in full.
 * The rest is for the time until `endAt`.
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
