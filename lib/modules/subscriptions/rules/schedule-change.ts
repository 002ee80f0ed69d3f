import type { BillingInterval } from '../../../kernel/calendar.ts'
import { type Change, type Changed, requireWithinLineLimit } from './change-request.ts'
import { endsOnGrid, firstPeriod, nth, periodUpTo } from './period.ts'
import { type ScheduledUpdate, type Subscription, sameInterval, sameTerms, scheduledTerms } from './subscription.ts'

/**
 * Schedules a change for the next renewal. Keeps scheduled fields that the change does not set, but a change of the
 * plan removes a scheduled price.
 */
export function scheduleChange(subscription: Subscription, request: Change): Changed {
  const before = subscription.scheduledUpdate
  const after = merged(before, request, subscription)
  const unchanged = { next: subscription, events: [], lines: [], period: null } as const
  if (sameUpdate(before, after)) return unchanged
  if (after) requireWithinLineLimit(scheduledTerms(subscription, after), request)
  return { ...unchanged, next: { ...subscription, scheduledUpdate: after }, events: ['subscription.update_scheduled'] }
}

/**
 * Removes a scheduled anchor date. Call this function if the billing interval changes or a trial begins, because both
 * replace the anchor date.
 */
export function dropAnchorDate(subscription: Subscription): Subscription {
  const { scheduledUpdate } = subscription
  if (!(scheduledUpdate?.anchor instanceof Date)) return subscription
  return { ...subscription, scheduledUpdate: effective({ ...scheduledUpdate, anchor: null }, subscription) }
}

export const upcomingInterval = ({
  billingInterval,
  scheduledUpdate,
}: Pick<Subscription, 'billingInterval' | 'scheduledUpdate'>): BillingInterval =>
  scheduledUpdate?.plan?.billingInterval ?? billingInterval

export function effective(update: ScheduledUpdate, subscription: Subscription): ScheduledUpdate | null {
  const { anchor } = update
  const terms = scheduledTerms(subscription, update)
  const isSameCycle = sameInterval(terms.billingInterval, subscription.billingInterval)
  const movesCycle = anchor !== null && !(isSameCycle && isPresentCycle(subscription, anchor))
  return !movesCycle && sameTerms(terms, subscription) ? null : update
}

/** Whether a scheduled anchor leaves the billing dates unchanged. */
function isPresentCycle(subscription: Subscription, anchor: Date | 'renewal'): boolean {
  const { anchorAt, cycleNumber, renewedUntil, billingInterval } = subscription
  if (!anchorAt || !renewedUntil || !endsOnGrid(subscription, billingInterval)) return false
  const { anchorAt: counted, cycleNumber: first } =
    anchor === 'renewal'
      ? firstPeriod(renewedUntil, billingInterval, 0n)
      : periodUpTo(anchor, renewedUntil, billingInterval, 0n)
  return (
    counted !== null &&
    Array.from({ length: 13 }, (_, n) => n).every(
      (n) =>
        nth(counted, billingInterval, first + n).getTime() ===
        nth(anchorAt, billingInterval, cycleNumber + 1 + n).getTime(),
    )
  )
}

export function merged(
  before: ScheduledUpdate | null,
  request: Change,
  subscription: Subscription,
): ScheduledUpdate | null {
  const anchor = request.resetAnchor ? 'renewal' : request.anchor
  const named = request.plan?.planId === subscription.planId ? null : request.plan
  const plan = request.plan ? named : (before?.plan ?? null)
  const isSameCycle = sameInterval(
    upcomingInterval(subscription),
    plan?.billingInterval ?? subscription.billingInterval,
  )
  const anchorBefore = before?.anchor instanceof Date && !isSameCycle ? null : (before?.anchor ?? null)
  const update: ScheduledUpdate = {
    plan,
    // A new plan has a price, so it removes a price that was scheduled for another plan.
    price: request.price ?? (request.plan ? null : (before?.price ?? null)),
    quantity: request.quantity ?? before?.quantity ?? null,
    anchor: anchor ?? anchorBefore,
    // `prorate` applies only to the anchor, so a change without an anchor preserves the earlier value.
    prorate: anchor ? request.prorate : (before?.prorate ?? request.prorate),
  }
  return effective(update, subscription)
}

function sameUpdate(a: ScheduledUpdate | null, b: ScheduledUpdate | null): boolean {
  const moment = (anchor: ScheduledUpdate['anchor']) => (anchor instanceof Date ? anchor.getTime() : anchor)
  if (a === null || b === null) return a === b
  const samePlan = a.plan === b.plan || (a.plan !== null && b.plan !== null && sameTerms(flat(a), flat(b)))
  return (
    samePlan &&
    a.price?.minor === b.price?.minor &&
    a.quantity === b.quantity &&
    moment(a.anchor) === moment(b.anchor) &&
    (a.anchor === null || a.prorate === b.prorate)
  )
}

const flat = ({ plan }: ScheduledUpdate) => {
  if (!plan) throw new Error('there is no plan to compare')
  return { ...plan, quantity: 1 }
}
