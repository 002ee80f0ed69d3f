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

export interface Billed {
  readonly next: Subscription
  readonly lines: readonly BillingLine[]
}

/**
 * Applies the scheduled update, ends a trial, and bills the next period and the deferred lines (`parked`). `due` must be the end of the previous period, so
 * that a repeated call throws instead of charging twice. If the renewal `waited` (for example for a suspended storefront), the period begins now and
 * the waiting time is not billed.
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

/** Bills the full price, or a proportional price if `prorated` is true and the period was shortened or extended. */
export function periodLine({ period, name, price, quantity }: Subscription, prorated: boolean): BillingLine {
  if (!period) throw new Error('a subscription without a period has nothing to bill')
  const { startAt, endAt, seconds, paid } = period
  const length = secondsBetween(startAt, endAt)
  if (length === seconds || !prorated) return { kind: 'period', name, unitPrice: price.minor, quantity }
  return { kind: 'remaining', name, quantity, from: startAt, until: endAt, amount: share(paid, length, seconds) }
}

const isOnGrid = ({ scheduledUpdate, billingInterval }: Subscription, terms: Terms): boolean =>
  (scheduledUpdate?.anchor ?? null) === null && sameInterval(terms.billingInterval, billingInterval)

function periodAfter(subscription: Subscription, terms: Terms, due: Date): CyclePosition {
  const { anchorAt, scheduledUpdate, billingInterval } = subscription
  const amount = amountOf(terms)
  if (!isOnGrid(subscription, terms)) {
    return (scheduledUpdate?.anchor ?? null) === null
      ? firstPeriodOfInterval(due, subscription, terms.billingInterval, amount)
      : periodFrom(due, subscription, terms)
  }
  // The last period was free if it ended between two billing dates (the anchor plus whole intervals). The next period
  // then lasts only from `due` to the next billing date, and is billed for this time.
  if (anchorAt && !endsOnGrid(subscription, billingInterval)) return periodUpTo(anchorAt, due, billingInterval, amount)
  return followingPeriod(subscription, billingInterval, amount)
}

export function periodFrom(startAt: Date, { scheduledUpdate }: Subscription, terms: Terms): CyclePosition {
  const amount = amountOf(terms)
  const anchor = scheduledUpdate?.anchor
  return anchor instanceof Date
    ? anchored(periodUpTo(anchor, startAt, terms.billingInterval, amount), scheduledUpdate)
    : firstPeriod(startAt, terms.billingInterval, amount)
}

/** Without proration, a shortened period costs the full price, so its `paid` (the price per full period) rises: 10.00 for half a period gives 20.00. */
function anchored(position: CyclePosition, update: ScheduledUpdate | null): CyclePosition {
  const { period } = position
  if (!period || update?.prorate !== false) return position
  const length = secondsBetween(period.startAt, period.endAt)
  return { ...position, period: { ...period, paid: share(period.paid, period.seconds, length) } }
}
