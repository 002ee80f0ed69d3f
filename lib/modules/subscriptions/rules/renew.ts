import type { BillingLine } from './bill.ts'
import {
  type CyclePosition,
  endsOnGrid,
  firstPeriod,
  firstPeriodOfInterval,
  followingPeriod,
  periodUpTo,
  secondsBetween,
  share,
} from './period.ts'
import { subscriptionStates } from './state.ts'
import {
  amountOf,
  planOf,
  type ScheduledUpdate,
  type Subscription,
  sameInterval,
  scheduledTerms,
  type Terms,
} from './subscription.ts'

/** A period that is billed: the subscription in it, and the lines of its order. */
export interface Billed {
  readonly next: Subscription
  readonly lines: readonly BillingLine[]
}

/**
 * Bills the period that begins at `due`, which must be the end of the previous one. The caller passes it, so that a
 * repeated call is refused instead of charging twice. Applies the scheduled update, ends a trial, and bills the parked
 * proration. If the renewal `waited`, as for a suspended storefront, the period begins now and the time in between is
 * not billed.
 */
export function renew(
  subscription: Subscription,
  { due, now, waited = false }: { due: Date; now: Date; waited?: boolean },
): Billed & { reason: 'renewed' | 'updated_on_renewal' } {
  const { status, renewedUntil, scheduledUpdate } = subscription
  if (renewedUntil?.getTime() !== due.getTime())
    throw new Error('this period was billed before, or is not the next one')
  const trigger = status === 'trial' ? 'endTrial' : 'renew'
  const renewed = { ...subscription, status: subscriptionStates.on(status, trigger) }
  return {
    ...billPeriod(renewed, now, (terms) =>
      waited ? periodFrom(now, subscription, terms) : periodAfter(subscription, terms, due),
    ),
    reason: scheduledUpdate ? 'updated_on_renewal' : 'renewed',
  }
}

/** Bills a period on the terms that now apply, with everything that waited for it. */
export function billPeriod(subscription: Subscription, now: Date, periodOf: (terms: Terms) => CyclePosition): Billed {
  const { scheduledUpdate } = subscription
  const terms = scheduledUpdate ? scheduledTerms(subscription, scheduledUpdate) : subscription
  const standing = periodOf(terms)
  const next: Subscription = {
    ...subscription,
    ...planOf(terms),
    quantity: terms.quantity,
    ...standing,
    renewedAt: now,
    trialUntil: null,
    scheduledUpdate: null,
    parked: [],
  }
  return { next, lines: [periodLine(next, scheduledUpdate?.prorate ?? true), ...subscription.parked] }
}

/** The price of the period in progress; a part of the price if it was shortened or extended. */
export function periodLine({ period, name, price, quantity }: Subscription, prorated: boolean): BillingLine {
  if (!period) throw new Error('a subscription without a period has nothing to bill')
  const { startAt, endAt, seconds, paid } = period
  const length = secondsBetween(startAt, endAt)
  if (length === seconds || !prorated) return { kind: 'period', name, unitPrice: price.minor, quantity }
  return { kind: 'remaining', name, quantity, from: startAt, until: endAt, amount: share(paid, length, seconds) }
}

/** Whether the next period still counts from the current anchor. */
const isOnGrid = ({ scheduledUpdate, billingInterval }: Subscription, terms: Terms): boolean =>
  (scheduledUpdate?.anchor ?? null) === null && sameInterval(terms.billingInterval, billingInterval)

/** The next period: of the same cycle, of another interval, or up to a scheduled anchor. */
function periodAfter(subscription: Subscription, terms: Terms, due: Date): CyclePosition {
  const { anchorAt, scheduledUpdate, billingInterval } = subscription
  const amount = amountOf(terms)
  if (!isOnGrid(subscription, terms)) {
    return (scheduledUpdate?.anchor ?? null) === null
      ? firstPeriodOfInterval(due, subscription, terms.billingInterval, amount)
      : periodFrom(due, subscription, terms)
  }
  // Unpaid time was given for free, so only the rest of the cycle is billed.
  if (anchorAt && !endsOnGrid(subscription, billingInterval)) return periodUpTo(anchorAt, due, billingInterval, amount)
  return followingPeriod(subscription, billingInterval, amount)
}

/** A period of a new cycle, from its own start or from the scheduled anchor. */
export function periodFrom(startAt: Date, { scheduledUpdate }: Subscription, terms: Terms): CyclePosition {
  const amount = amountOf(terms)
  const anchor = scheduledUpdate?.anchor
  return anchor instanceof Date
    ? anchored(periodUpTo(anchor, startAt, terms.billingInterval, amount), scheduledUpdate)
    : firstPeriod(startAt, terms.billingInterval, amount)
}

/** A shortened period at the full price cost more than the price for its time. */
function anchored(position: CyclePosition, update: ScheduledUpdate | null): CyclePosition {
  const { period } = position
  if (!period || update?.prorate !== false) return position
  const length = secondsBetween(period.startAt, period.endAt)
  return { ...position, period: { ...period, paid: share(period.paid, period.seconds, length) } }
}
