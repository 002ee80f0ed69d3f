import { Refusal } from '../../../kernel/refusal.ts'
import { asFullPeriod } from './carry.ts'
import { secondsBetween } from './period.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

type Reason = NonNullable<Subscription['cancellationReason']>

/**
 * Removes the scheduled update and the amounts deferred to the renewal (`parked`), which the customer never pays.
 * Deducts the value of these amounts for a full period from `paid`.
 */
function nothingAhead({ period, parked }: Subscription): Pick<Subscription, 'scheduledUpdate' | 'parked' | 'period'> {
  const nothing = { scheduledUpdate: null, parked: [] }
  if (!period) return { ...nothing, period }
  const paid = period.paid - asFullPeriod(parked, period)
  return { ...nothing, period: { ...period, paid: paid > 0n ? paid : 0n } }
}

interface Cancellation {
  readonly next: Subscription
  readonly event: 'subscription.canceled_with_grace_period' | 'subscription.canceled_immediately'
}

/**
 * Cancels a subscription immediately or at the end of its paid time. Returns null if it is already in its grace period
 * and `immediately` is false. Throws `subscription_not_cancelable` if the subscription has not started or has ended.
 */
export function cancel(
  subscription: Subscription,
  { immediately, reason, now }: { immediately: boolean; reason: Reason; now: Date },
): Cancellation | null {
  const { status, renewedUntil } = subscription
  if (status === 'created' || status === 'canceled') throw new Refusal('subscription_not_cancelable')
  // The subscription is canceled immediately if its paid time is over, because a grace period would be empty. The paid
  // time can be over while the subscription is paused or while its renewal waits.
  const isOver = status !== 'on_grace_period' && (renewedUntil === null || renewedUntil <= now)
  if (immediately || isOver) {
    return { next: cancelNow(subscription, { reason, now }), event: 'subscription.canceled_immediately' }
  }
  if (status === 'on_grace_period') return null
  const next: Subscription = {
    ...subscription,
    ...nothingAhead(subscription),
    status: subscriptionStates.on(status, 'cancelAtPeriodEnd', 'subscription_not_cancelable'),
    resumesTo: status,
    canceledAt: now,
    cancellationReason: reason,
  }
  return { next, event: 'subscription.canceled_with_grace_period' }
}

/** Cancels the subscription immediately. Keeps the time of an earlier cancellation, but replaces its reason. */
export function cancelNow(subscription: Subscription, { reason, now }: { reason: Reason; now: Date }): Subscription {
  return {
    ...subscription,
    ...nothingAhead(subscription),
    status: subscriptionStates.on(subscription.status, 'cancelNow', 'subscription_not_cancelable'),
    resumesTo: null,
    canceledAt: subscription.canceledAt ?? now,
    cancellationReason: reason,
    endedAt: now,
    trialUntil: null,
  }
}

/** Moves the subscription back from an unpaid period to the last paid period, which is from `startAt` to `endAt`. */
export function endAtPaidPeriod(
  subscription: Subscription,
  { startAt, endAt }: { readonly startAt: Date; readonly endAt: Date },
): Subscription {
  const { cycleNumber, period } = subscription
  const paid = period?.paid ?? 0n
  const before = { startAt, endAt, seconds: secondsBetween(startAt, endAt), paid }
  return { ...subscription, cycleNumber: cycleNumber - 1, renewedUntil: endAt, period: before }
}

export function lapse(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'lapse')
  return { ...subscription, ...nothingAhead(subscription), status, resumesTo: null, endedAt: now, trialUntil: null }
}
