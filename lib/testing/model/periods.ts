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
  readonly cost: bigint
}

/**
 * Starts a new period. Shortens the earlier periods to end at the new start, and drops periods that start later. The
 * caller then sets the order that bills the new period.
 */
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

/** The start of the unpaid time. A period with a written-off order counts as unpaid only if no later period is paid. */
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

/** With `prorate`, a shortened period costs a proportional share of the amount. Without `prorate`, it costs the whole amount. */
export function cutPeriod(anchor: Date, n: number, start: Date, end: Date, terms: Terms, prorate: boolean): NewPeriod {
  const full = seconds(start, cycleFrom(start, terms, 1))
  const [amount, length] = [amountOf(terms), seconds(start, end)]
  if (prorate) return { anchor, n, start, end, full, paid: amount, cost: share(amount, length, full) }
  return { anchor, n, start, end, full, paid: share(amount, full, length), cost: amount }
}

/**
 * Period n counts from the anchor, so that an anchor on the 31st gives the 31st again after February. A change of the
 * cycle restarts the count.
 */
export function nextPeriod(subscription: Subscription, due: Date, terms: Terms): NewPeriod {
  const { anchor, n, scheduled } = subscription
  const isOtherCycle = !sameCycle(terms, subscription.terms)
  if (scheduled?.anchor) return newPeriod(subscription, due, terms)
  if (isOtherCycle) return wholePeriod(...anchorOfInterval(subscription, due, terms), due, terms)
  const isOnGrid = cycleFrom(anchor, terms, n + 1).getTime() === due.getTime()
  return isOnGrid ? wholePeriod(anchor, n + 1, due, terms) : upTo(anchor, due, terms, true)
}

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
