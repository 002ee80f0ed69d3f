import { Refusal } from '../../../kernel/refusal.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

const triggers = { trial: 'resumeTrial', active: 'resume', paused: 'resumePaused' } as const

/**
 * Withdraws a cancellation while its grace period runs: the previous status is back (a paused subscription is paused
 * again), the cycle and the mandate are unchanged, nothing is charged. Refuses `subscription_not_resumable` in any
 * other state, and once the grace period has lapsed.
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
  }
}
