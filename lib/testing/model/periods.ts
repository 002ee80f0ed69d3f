import { anchorOfInterval } from './anchor-day.ts'
import {
  amountOf,
  cycleFrom,
  type Order,
  type Period,
  type Subscription,
  sameCycle,
  seconds,
  share,
  type Terms,
} from './world.ts'

export interface NewPeriod {
  readonly anchor: Date
  readonly n: number
  readonly start: Date
  readonly end: Date
  readonly full: bigint
  readonly paid: bigint
  /** The billed amount: a part if the period is shortened. */
  readonly cost: bigint
}

/** The order that bills the period is set later. A period that did not begin yet is withdrawn. */
export function beginPeriod(subscription: Subscription, { anchor, n, cost: _, ...begun }: NewPeriod): void {
  const past = upToMoment(periodsOf(subscription), begun.start)
  const period: Period = { ...begun, order: null }
  Object.assign(subscription, { anchor, n, period, past, renewedUntil: period.end, trialUntil: null })
}

export const periodsOf = ({ past, period }: Pick<Subscription, 'past' | 'period'>): readonly Period[] =>
  period ? [...past, period] : past

const upToMoment = (periods: readonly Period[], moment: Date): Period[] =>
  periods.flatMap((each) => (each.start >= moment ? [] : [each.end > moment ? { ...each, end: moment } : each]))

export function bills(subscription: Subscription, order: Order): void {
  subscription.billedBy = order
  if (subscription.period) subscription.period.order = order
}

/** A period whose order was written off counts only if no later period is paid. */
export function unpaidFrom(subscription: Subscription): Date | null {
  const periods = periodsOf(subscription).filter(({ start, end }) => start < end)
  const isPaid = ({ order }: Period) => order === null || order.status === 'paid'
  const first = periods.find(
    ({ order }, at) =>
      order?.status === 'pending' || (order?.status === 'canceled' && !periods.slice(at + 1).some(isPaid)),
  )
  return first?.start ?? null
}

function wholePeriod(anchor: Date, n: number, start: Date, terms: Terms): NewPeriod {
  const end = cycleFrom(anchor, terms, n + 1)
  const cost = amountOf(terms)
  return { anchor, n, start, end, full: seconds(start, end), paid: cost, cost }
}

export const firstPeriod = (anchor: Date, terms: Terms): NewPeriod => wholePeriod(anchor, 0, anchor, terms)

/** A shortened period costs its part. With `prorate` false it costs the whole amount. */
export function cutPeriod(anchor: Date, n: number, start: Date, end: Date, terms: Terms, prorate: boolean): NewPeriod {
  const full = seconds(start, cycleFrom(start, terms, 1))
  const [amount, length] = [amountOf(terms), seconds(start, end)]
  if (prorate) return { anchor, n, start, end, full, paid: amount, cost: share(amount, length, full) }
  return { anchor, n, start, end, full, paid: share(amount, full, length), cost: amount }
}

/** Counts period n from the anchor, so that the 31st returns after February, or restarts the count. */
export function nextPeriod(subscription: Subscription, due: Date, terms: Terms): NewPeriod {
  const { anchor, n, scheduled } = subscription
  const isOtherCycle = !sameCycle(terms, subscription.terms)
  if (scheduled?.anchor) return newPeriod(subscription, due, terms)
  if (isOtherCycle) return wholePeriod(...anchorOfInterval(subscription, due, terms), due, terms)
  const isOnGrid = cycleFrom(anchor, terms, n + 1).getTime() === due.getTime()
  return isOnGrid ? wholePeriod(anchor, n + 1, due, terms) : upTo(anchor, due, terms, true)
}

/** Counts from the scheduled anchor, or from the period's own start. */
export function newPeriod({ scheduled }: Subscription, start: Date, terms: Terms): NewPeriod {
  if (!(scheduled?.anchor instanceof Date)) return firstPeriod(start, terms)
  return upTo(scheduled.anchor, start, terms, scheduled.prorate)
}

function upTo(anchor: Date, start: Date, terms: Terms, prorate: boolean): NewPeriod {
  let n = 0
  while (cycleFrom(anchor, terms, n) <= start) n++
  const isWhole = n > 0 && cycleFrom(anchor, terms, n - 1).getTime() === start.getTime()
  if (isWhole) return wholePeriod(anchor, n - 1, start, terms)
  return cutPeriod(anchor, n - 1, start, cycleFrom(anchor, terms, n), terms, prorate)
}
