import { type Change, type Changed, mustFitLine } from './asked.ts'
import { type ScheduledUpdate, type Subscription, sameTerms, scheduledTerms } from './subscription.ts'

/**
 * A change that waits for the next renewal. It merges with one that waits already: what it does not name stays scheduled.
 */
export function schedule(subscription: Subscription, asked: Change): Changed {
  const before = subscription.scheduledUpdate
  const after = merged(before, asked, subscription)
  const unchanged = { next: subscription, events: [], lines: [], period: null } as const
  if (sameUpdate(before, after)) return unchanged
  if (after) mustFitLine(scheduledTerms(subscription, after))
  return { ...unchanged, next: { ...subscription, scheduledUpdate: after }, events: ['subscription.update_scheduled'] }
}

/** Null when nothing would differ once it is applied. */
function merged(before: ScheduledUpdate | null, asked: Change, subscription: Subscription): ScheduledUpdate | null {
  const anchor = asked.resetAnchor ? 'renewal' : asked.anchor
  const update: ScheduledUpdate = {
    plan: asked.plan ?? before?.plan ?? null,
    price: asked.price ?? before?.price ?? null,
    quantity: asked.quantity ?? before?.quantity ?? null,
    anchor: anchor ?? before?.anchor ?? null,
    // Of the anchor: a change that names none leaves it as it was asked for.
    prorate: anchor ? asked.prorate : (before?.prorate ?? asked.prorate),
  }
  return update.anchor === null && sameTerms(scheduledTerms(subscription, update), subscription) ? null : update
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
