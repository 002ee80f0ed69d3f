import type { BillingInterval, Interval } from '../../../kernel/calendar.ts'
import { type Currency, divideHalfAwayFromZero, type Fraction, type Money } from '../../../kernel/money.ts'
import type { SubscriptionStatus } from './index.ts'

/** The number of intervals in 12 months. A year has 12 months and 365 days, and a week has 7 days. */
const inYear: Readonly<Record<Interval, { numerator: bigint; denominator: bigint }>> = {
  day: { numerator: 365n, denominator: 1n },
  week: { numerator: 365n, denominator: 7n },
  month: { numerator: 12n, denominator: 1n },
  year: { numerator: 1n, denominator: 1n },
}

const noTax: Fraction = { numerator: 0n, denominator: 1n }

/** Returns the amount per month in minor units, without the tax that `amount` includes. Rounds once, half away from zero. */
export function perMonth(
  amount: bigint,
  { interval, intervalCount }: BillingInterval,
  includedTax: Fraction = noTax,
): bigint {
  const { numerator, denominator } = inYear[interval]
  return divideHalfAwayFromZero(
    amount * numerator * includedTax.denominator,
    12n * BigInt(intervalCount) * denominator * (includedTax.denominator + includedTax.numerator),
  )
}

interface Group {
  readonly status: SubscriptionStatus
  readonly currency: Currency
  readonly every: BillingInterval
  readonly amount: bigint
}

export function monthlyRecurring(groups: readonly Group[]): Money[] {
  const sums = new Map<Currency, bigint>()
  for (const { status, currency, every, amount } of groups)
    if (status === 'active') sums.set(currency, (sums.get(currency) ?? 0n) + perMonth(amount, every))
  return [...sums].map(([currency, minor]) => ({ minor, currency }))
}
