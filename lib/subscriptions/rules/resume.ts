import { Refusal } from '../../kernel/refusal.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

/**
 * Takes a cancellation back while its grace period runs: the cycle and the mandate are as they were, nothing is charged.
 * Refuses `subscription_not_resumable` in any other state, and once the grace period has lapsed.
 */
export function resume(subscription: Subscription, now: Date): Subscription {
  const { status, renewedUntil, trialUntil } = subscription
  if (!renewedUntil || renewedUntil <= now) throw new Refusal('subscription_not_resumable')
  const trigger = trialUntil ? 'resumeTrial' : 'resume'
  return {
    ...subscription,
    status: subscriptionStates.on(status, trigger, 'subscription_not_resumable'),
    canceledAt: null,
    cancellationReason: null,
  }
}
