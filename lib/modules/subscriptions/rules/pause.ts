import { type Billed, billPeriod, periodFrom } from './renew.ts'
import { subscriptionStates } from './state.ts'
import type { Subscription } from './subscription.ts'

export const pause = (subscription: Subscription): Subscription => ({
  ...subscription,
  status: subscriptionStates.on(subscription.status, 'pause', 'subscription_not_pausable'),
})

/**
 * Ends the pause of a subscription. If its paid period has ended, bills a new period from `now`, otherwise bills
 * nothing. Throws `subscription_not_paused`.
 */
export function unpause(subscription: Subscription, now: Date): Billed {
  const next = {
    ...subscription,
    status: subscriptionStates.on(subscription.status, 'unpause', 'subscription_not_paused'),
  }
  const { renewedUntil } = next
  if (renewedUntil && renewedUntil > now) return { next, lines: [] }
  return billPeriod(next, now, (terms) => periodFrom(now, next, terms))
}
