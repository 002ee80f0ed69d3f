import { type Change, type Changed, requireWithinLineLimit } from './change-request.ts'
import {
  type BillingInterval,
  type ScheduledUpdate,
  type Subscription,
  sameInterval,
  sameTerms,
  scheduledTerms,
} from './subscription.ts'

/**
 * A change that waits for the next renewal. It merges with one that waits already: what it does not name stays scheduled, but for a
 * price where it names a plan.
 */
export function schedule(subscription: Subscription, request: Change): Changed {
  const before = subscription.scheduledUpdate
  const after = merged(before, request, subscription)
  const unchanged = { next: subscription, events: [], lines: [], period: null } as const
  if (sameUpdate(before, after)) return unchanged
  if (after) requireWithinLineLimit(scheduledTerms(subscription, after))
  return { ...unchanged, next: { ...subscription, scheduledUpdate: after }, events: ['subscription.update_scheduled'] }
}

/** A day is an anchor for the cycle that it was asked for: with another one, and with a trial, it means nothing any more. */
export function dropAnchorDate(subscription: Subscription): Subscription {
  const { scheduledUpdate } = subscription
  if (!(scheduledUpdate?.anchor instanceof Date)) return subscription
  return { ...subscription, scheduledUpdate: effective({ ...scheduledUpdate, anchor: null }, subscription) }
}

/** The cycle that will hold after the next renewal. */
export const upcomingInterval = ({
  cycle,
  scheduledUpdate,
}: Pick<Subscription, 'cycle' | 'scheduledUpdate'>): BillingInterval => scheduledUpdate?.plan?.cycle ?? cycle

/** Null when nothing would differ once it is applied. */
function effective(update: ScheduledUpdate, subscription: Subscription): ScheduledUpdate | null {
  const changesNothing = update.anchor === null && sameTerms(scheduledTerms(subscription, update), subscription)
  return changesNothing ? null : update
}

/** The one that waits, with what is asked for. */
export function merged(
  before: ScheduledUpdate | null,
  request: Change,
  subscription: Subscription,
): ScheduledUpdate | null {
  const anchor = request.resetAnchor ? 'renewal' : request.anchor
  // The plan that it has is no switch: naming it takes a scheduled one back.
  const named = request.plan?.planId === subscription.planId ? null : request.plan
  const plan = request.plan ? named : (before?.plan ?? null)
  const isSameCycle = sameInterval(upcomingInterval(subscription), plan?.cycle ?? subscription.cycle)
  const anchorBefore = before?.anchor instanceof Date && !isSameCycle ? null : (before?.anchor ?? null)
  const update: ScheduledUpdate = {
    plan,
    // A plan comes at its own price: one that was scheduled before was not for it.
    price: request.price ?? (request.plan ? null : (before?.price ?? null)),
    quantity: request.quantity ?? before?.quantity ?? null,
    anchor: anchor ?? anchorBefore,
    // Of the anchor: a change that names none leaves it as it was asked for.
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
