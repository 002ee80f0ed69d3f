import { firstPeriod } from './period.ts'
import { subscriptionStates } from './state.ts'
import { amountOf, type Mandate, type Subscription } from './subscription.ts'

/**
 * The first payment is settled: the first period or the trial begins now. The end of a trial is the billing anchor, and
 * `renewedUntil` during the trial. A subscription that was started before is a bug.
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

/** The cycle position during a trial: the first, or the next, period begins at its end. */
export const waitingFor = (trialUntil: Date) => ({ anchorAt: trialUntil, cycleNumber: -1, renewedUntil: trialUntil })

/** The first payment failed for good. */
export function abandon(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'abandon')
  return { ...subscription, status, endedAt: now }
}
