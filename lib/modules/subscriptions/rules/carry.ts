import { secondsBetween, share } from './period.ts'

export interface TimedAmount {
  readonly from: Date
  readonly until: Date
  readonly amount: bigint
  /**
   * The time at which the amount was billed, used only if it is before `from`. For example, a fast-forward bills a
   * period before its start.
   */
  readonly since?: Date
}

/** Amounts are multiplied by this number, so that only the final result is rounded. */
const scale = 1_000_000_000_000n

/**
 * Combines the amounts that were billed for parts of a period into the amount for a full period of `seconds`, as in
 * `Period.paid`. Each later amount is reduced by the credit for the unused part of the earlier amounts, so this part is
 * added again. The result covers the time until `endAt`.
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
