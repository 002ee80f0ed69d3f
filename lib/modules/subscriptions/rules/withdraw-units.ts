import { share } from './period.ts'
import type { Subscription } from './subscription.ts'

/**
 * A consumer withdrew from some of the units that a subscription began with (Directive 2011/83/EU, art. 9): it continues
 * with the others, and what was paid for the period is what was paid for these. Nothing is charged or credited, since
 * the merchant refunds. A scheduled quantity is lower by as many. Null if no unit would be left.
 */
export function withdrawUnits(subscription: Subscription, units: number): Subscription | null {
  const { quantity: before, period, scheduledUpdate: scheduled } = subscription
  const quantity = before - units
  if (quantity < 1) return null
  return {
    ...subscription,
    quantity,
    period: period && { ...period, paid: share(period.paid, BigInt(quantity), BigInt(before)) },
    scheduledUpdate:
      scheduled && scheduled.quantity !== null
        ? { ...scheduled, quantity: Math.max(1, scheduled.quantity - units) }
        : scheduled,
  }
}
