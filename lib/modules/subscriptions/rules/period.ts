import { type BillingInterval, cycleStart, dayOfMonth, onDayOfMonth } from '../../../kernel/calendar.ts'
import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import type { Period, Subscription } from './subscription.ts'

export type CyclePosition = Pick<Subscription, 'anchorAt' | 'cycleNumber' | 'renewedUntil' | 'period'>

export const nth = (anchor: Date, { interval, intervalCount }: BillingInterval, n: number): Date =>
  cycleStart(anchor, interval, intervalCount, n)

export const oneCycleAfter = (moment: Date, billingInterval: BillingInterval): Date => nth(moment, billingInterval, 1)

export const secondsBetween = (from: Date, until: Date): bigint =>
  until > from ? BigInt(Math.round((until.getTime() - from.getTime()) / 1000)) : 0n

/** Returns a proportional part of an amount. `part` and `whole` are in seconds. Rounds half away from zero. */
export const share = (amount: bigint, part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideHalfAwayFromZero(amount * part, whole)

export function firstPeriod(anchor: Date, billingInterval: BillingInterval, amount: bigint): CyclePosition {
  const endAt = oneCycleAfter(anchor, billingInterval)
  return cyclePosition({
    anchorAt: anchor,
    cycleNumber: 0,
    startAt: anchor,
    endAt,
    seconds: secondsBetween(anchor, endAt),
    paid: amount,
  })
}

/**
 * Returns the period after the current period. Its end is counted from the anchor: with an anchor on the 31st, a
 * monthly period from 30 April ends on 31 May. `amount` is the billed amount.
 */
export function followingPeriod(
  { anchorAt, cycleNumber, renewedUntil }: CyclePosition,
  billingInterval: BillingInterval,
  amount: bigint,
): CyclePosition {
  if (!anchorAt || !renewedUntil) throw new Error('a subscription that never started has no next period')
  const number = cycleNumber + 1
  const endAt = nth(anchorAt, billingInterval, number + 1)
  const seconds = secondsBetween(renewedUntil, endAt)
  return cyclePosition({ anchorAt, cycleNumber: number, startAt: renewedUntil, endAt, seconds, paid: amount })
}

/**
 * Whether the current period ends on a billing date (the anchor plus whole intervals). A period can end between two
 * billing dates if unpaid time was not billed.
 */
export const endsOnGrid = (
  { anchorAt, cycleNumber, renewedUntil }: Omit<CyclePosition, 'period'>,
  billingInterval: BillingInterval,
): boolean => anchorAt !== null && nth(anchorAt, billingInterval, cycleNumber + 1).getTime() === renewedUntil?.getTime()

const isMonthly = ({ interval }: BillingInterval): boolean => interval === 'month' || interval === 'year'

/** The maximum number of months to go back: eight years, the longest time between two 29ths of February. */
const mostMonthsBack = 96

/**
 * Returns the first period after a change of the billing interval. `amount` is the billed amount. If both intervals are
 * months or years, the period keeps the anchor's day of the month. For example, with an anchor on the 31st, a monthly
 * period from 28 February ends on 31 March.
 */
export function firstPeriodOfInterval(
  startAt: Date,
  previous: { readonly anchorAt: Date | null; readonly billingInterval: BillingInterval },
  billingInterval: BillingInterval,
  amount: bigint,
): CyclePosition {
  const { anchorAt } = previous
  const isClamped = anchorAt !== null && dayOfMonth(anchorAt) > dayOfMonth(startAt)
  if (!isClamped || !isMonthly(previous.billingInterval) || !isMonthly(billingInterval))
    return firstPeriod(startAt, billingInterval, amount)
  const { anchor, number } = anchorBefore(startAt, dayOfMonth(anchorAt), billingInterval)
  const endAt = nth(anchor, billingInterval, number + 1)
  const seconds = secondsBetween(startAt, endAt)
  return cyclePosition({ anchorAt: anchor, cycleNumber: number, startAt, endAt, seconds, paid: amount })
}

/** Goes back from `startAt` in whole cycles to the first month that has the day `day`. If no month has the day, uses the month with the most days. */
function anchorBefore(startAt: Date, day: number, billingInterval: BillingInterval) {
  const months = billingInterval.intervalCount * (billingInterval.interval === 'year' ? 12 : 1)
  let best = { anchor: startAt, number: 0 }
  for (let number = 1; number * months <= mostMonthsBack && dayOfMonth(best.anchor) < day; number++) {
    const anchor = onDayOfMonth(nth(startAt, billingInterval, -number), day)
    if (dayOfMonth(anchor) > dayOfMonth(best.anchor)) best = { anchor, number }
  }
  return best
}

/** Returns the period from `startAt` to the next date that is counted from the anchor. `amount` is the price of a full period. */
export function periodUpTo(
  anchor: Date,
  startAt: Date,
  billingInterval: BillingInterval,
  amount: bigint,
): CyclePosition {
  let number = cyclesBefore(anchor, startAt, billingInterval)
  while (nth(anchor, billingInterval, number) <= startAt) number++
  const endAt = nth(anchor, billingInterval, number)
  const isWhole = number > 0 && nth(anchor, billingInterval, number - 1).getTime() === startAt.getTime()
  const seconds = secondsBetween(startAt, isWhole ? endAt : oneCycleAfter(startAt, billingInterval))
  return cyclePosition({ anchorAt: anchor, cycleNumber: number - 1, startAt, endAt, seconds, paid: amount })
}

const longestDays = { day: 1, week: 7, month: 31, year: 366 } as const

/** Returns a lower limit of the number of cycles, so that the search for the exact number is short, even for a trial until 2999. */
function cyclesBefore(anchor: Date, moment: Date, { interval, intervalCount }: BillingInterval): number {
  const days = Number(secondsBetween(anchor, moment)) / 86_400
  return Math.floor(days / (longestDays[interval] * intervalCount))
}

const cyclePosition = ({
  anchorAt,
  cycleNumber,
  ...period
}: Period & { anchorAt: Date; cycleNumber: number }): CyclePosition & { period: Period } => ({
  anchorAt,
  cycleNumber,
  renewedUntil: period.endAt,
  period,
})
