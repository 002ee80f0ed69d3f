import { cycleStart } from '../../kernel/calendar.ts'
import { subscriptionStates } from './state.ts'
import type { Mandate, Subscription } from './subscription.ts'

/**
 * The first payment settled: the first period begins now, or the trial does. A trial's end is the billing anchor, and in a
 * trial the paid-until date is its end. Refuses `illegal_move` on a subscription that was started before.
 */
export function start(
  subscription: Subscription,
  { now, trialUntil, mandate }: { now: Date; trialUntil: Date | null; mandate: Mandate | null },
): Subscription {
  const status = subscriptionStates.on(subscription.status, trialUntil ? 'startTrial' : 'start', 'illegal_move')
  const { interval, intervalCount } = subscription.cycle
  return {
    ...subscription,
    status,
    mandate,
    anchorAt: trialUntil ?? now,
    startedAt: now,
    trialUntil,
    renewedUntil: trialUntil ?? cycleStart(now, interval, intervalCount, 1),
  }
}

/** The first payment failed for good. */
export function giveUp(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'giveUp', 'illegal_move')
  return { ...subscription, status, endedAt: now }
}
