import { firstPeriod } from './period.ts'
import { subscriptionStates } from './state.ts'
import { amountOf, type Mandate, type Subscription } from './subscription.ts'

/**
 * Starts a subscription, with a trial if `trialUntil` is set. During a trial, the end of the trial is both the anchor
 * and `renewedUntil`. Throws if the subscription already started.
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

export const waitingFor = (trialUntil: Date) => ({ anchorAt: trialUntil, cycleNumber: -1, renewedUntil: trialUntil })

export function abandon(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'abandon')
  return { ...subscription, status, endedAt: now }
}
