import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import type { BillingInterval } from './index.ts'

/** Billing intervals in 12 months; a year has 365 days and 52 weeks here. */
const inYear = { day: 365n, week: 52n, month: 12n, year: 1n } as const

/**
 * What a recurring amount comes to in a month, in the same minor units, half away from zero: a year is 12 months, 52
 * weeks or 365 days.
 */
export const perMonth = (amount: bigint, { interval, intervalCount }: BillingInterval): bigint =>
  divideHalfAwayFromZero(amount * inYear[interval], 12n * BigInt(intervalCount))
