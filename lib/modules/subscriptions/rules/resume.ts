import { Refusal } from '../../../kernel/refusal.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

const triggers = { trial: 'resumeTrial', active: 'resume', paused: 'resumePaused' } as const

/**
 * Undoes a cancellation and charges nothing. A subscription that was paused before its cancellation is paused again.
 * Throws `subscription_not_resumable` outside a grace period.
 */
export function resume(subscription: Subscription, now: Date): Subscription {
  const { status, resumesTo, renewedUntil } = subscription
  if (!resumesTo || !renewedUntil || renewedUntil <= now) throw new Refusal('subscription_not_resumable')
  return {
    ...subscription,
    status: subscriptionStates.on(status, triggers[resumesTo], 'subscription_not_resumable'),
    resumesTo: null,
    canceledAt: null,
    cancellationReason: null,
    cancellationFeedback: null,
  }
}
