import { firstPeriod } from './period.ts'
import { subscriptionStates } from './state.ts'
import { amountOf, type Mandate, type Subscription } from './subscription.ts'

/**
 * The first payment settled: the first period begins now, or the trial does. A trial's end is the billing anchor, and
 * during a trial `renewedUntil` is its end. A subscription that was started before is a bug.
 */
export function start(
  subscription: Subscription,
  { now, trialUntil, mandate }: { now: Date; trialUntil: Date | null; mandate: Mandate | null },
): Subscription {
  const status = subscriptionStates.on(subscription.status, trialUntil ? 'startTrial' : 'start')
  return {
    ...subscription,
    ...(trialUntil ? waitingFor(trialUntil) : firstPeriod(now, subscription.billingInterval, amountOf(subscription))),
    status,
    mandate,
    startedAt: now,
    trialUntil,
  }
}

/** The position during a trial: its end is where the first, or the next, period begins. */
export const waitingFor = (trialUntil: Date) => ({ anchorAt: trialUntil, cycleNumber: -1, renewedUntil: trialUntil })

/** The first payment failed for good. */
export function abandon(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'abandon')
  return { ...subscription, status, endedAt: now }
}
