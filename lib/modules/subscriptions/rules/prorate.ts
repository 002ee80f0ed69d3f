import type { TermsChange } from '../../orders/rules/order.ts'
import { secondsBetween, share } from './period.ts'
import type { Period, ProrationLine } from './subscription.ts'

/**
 * Returns the credit for the unused part of the period, and the charge on the new terms for the same time. Both are
 * prorated by the second and rounded half away from zero. If the period has not started yet, both cover the whole
 * period. `given` is the refunded part of a full period's paid amount.
 */
export function prorate(
  period: Period,
  now: Date,
  next: { name: string; quantity: number; amount: bigint; endAt: Date },
  before: { name: string; quantity: number },
  { given = 0n, change }: { given?: bigint; change?: TermsChange | undefined } = {},
): { from: Date; credit: bigint; charge: bigint; lines: ProrationLine[] } {
  const from = now > period.startAt ? now : period.startAt
  const credit = share(
    period.paid > given ? period.paid - given : 0n,
    secondsBetween(from, period.endAt),
    period.seconds,
  )
  const charge = share(next.amount, secondsBetween(from, next.endAt), period.seconds)
  const of = change && { change }
  const lines: ProrationLine[] = [
    { kind: 'unused', ...named(before), from, until: period.endAt, amount: -credit, ...of },
    { kind: 'remaining', ...named(next), from, until: next.endAt, amount: charge, ...of },
  ]
  return { from, credit, charge, lines: credit === charge ? [] : lines.filter(({ amount }) => amount !== 0n) }
}

const named = ({ name, quantity }: { name: string; quantity: number }) => ({ name, quantity })
