import type { BillingInterval } from '../../../kernel/calendar.ts'
import { type Currency, divideHalfAwayFromZero, type Money } from '../../../kernel/money.ts'
import type { SubscriptionStatus } from './index.ts'

/** Billing intervals in 12 months. Here a year has 365 days and 52 weeks. */
const inYear = { day: 365n, week: 52n, month: 12n, year: 1n } as const

/**
 * The monthly part of a recurring amount, in the same minor units, rounded half away from zero: a year is 12 months, 52
 * weeks, or 365 days.
 */
export const perMonth = (amount: bigint, { interval, intervalCount }: BillingInterval): bigint =>
  divideHalfAwayFromZero(amount * inYear[interval], 12n * BigInt(intervalCount))

interface Group {
  readonly status: SubscriptionStatus
  readonly currency: Currency
  readonly every: BillingInterval
  readonly amount: bigint
}

/** Monthly recurring revenue by currency: the monthly renewals of active subscriptions, without trials. */
export function monthlyRecurring(groups: readonly Group[]): Money[] {
  const sums = new Map<Currency, bigint>()
  for (const { status, currency, every, amount } of groups)
    if (status === 'active') sums.set(currency, (sums.get(currency) ?? 0n) + perMonth(amount, every))
  return [...sums].map(([currency, minor]) => ({ minor, currency }))
}
