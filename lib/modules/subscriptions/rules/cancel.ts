import { Refusal } from '../../../kernel/refusal.ts'
import { asFullPeriod } from './carry.ts'
import { secondsBetween } from './period.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

type Reason = NonNullable<Subscription['cancellationReason']>

/** Parked amounts counted as paid, so dropping them lowers the paid amount. */
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
 * Cancels at the end of the paid period, or now if that end has passed. Null if the subscription is already canceled
 * this way. Refuses `subscription_not_cancelable` for a subscription that never started or has ended.
 */
export function cancel(
  subscription: Subscription,
  { immediately, reason, now }: { immediately: boolean; reason: Reason; now: Date },
): Cancellation | null {
  const { status, renewedUntil } = subscription
  if (status === 'created' || status === 'canceled') throw new Refusal('subscription_not_cancelable')
  // No paid time may be left in a pause, or if the next renewal waits. Then there is no grace period.
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

/** Ignores the paid time. An earlier cancellation keeps its time; the last reason counts. */
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

/** The last period was billed ahead and is unpaid: the grace period ends with the paid period before it. */
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
