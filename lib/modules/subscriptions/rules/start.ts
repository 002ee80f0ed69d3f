import { firstPeriod } from './period.ts'
import { subscriptionStates } from './state.ts'
import { amountOf, type Mandate, type Subscription } from './subscription.ts'

/** A trial's end is the billing anchor, and `renewedUntil` during the trial. A second start is a bug. */
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

/** The next period begins at the end of the trial. */
export const waitingFor = (trialUntil: Date) => ({ anchorAt: trialUntil, cycleNumber: -1, renewedUntil: trialUntil })

export function abandon(subscription: Subscription, now: Date): Subscription {
  const status = subscriptionStates.on(subscription.status, 'abandon')
  return { ...subscription, status, endedAt: now }
}
