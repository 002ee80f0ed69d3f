import { share } from './period.ts'
import { effective } from './schedule.ts'
import type { ScheduledUpdate, Subscription } from './subscription.ts'

/** What the order of a sale billed for a subscription: with tax if the price has it. */
export interface Sold {
  readonly paid: bigint
  readonly quantity: number
}

/**
 * A consumer withdrew from some of the units that a subscription began with (Directive 2011/83/EU, art. 9): it continues
 * with the others, and what was paid for the period is what was paid for these. Nothing is charged or credited, since
 * the merchant refunds. In the period that the sale billed (`sold`), the withdrawn units cost what they did there, whatever the quantity
 * is by now; in a later one each unit costs the same. Null if no unit would be left.
 */
export function withdrawUnits(subscription: Subscription, units: number, sold: Sold | null): Subscription | null {
  const { quantity: before, period, scheduledUpdate: scheduled } = subscription
  const quantity = before - units
  if (quantity < 1) return null
  const left = { ...subscription, quantity, period: period && { ...period, paid: paidFor(period.paid) } }
  return {
    ...left,
    scheduledUpdate: scheduled && effective({ ...scheduled, quantity: scheduledFor(scheduled) }, left),
  }

  function paidFor(paid: bigint): bigint {
    if (!sold) return share(paid, BigInt(quantity), BigInt(before))
    const rest = paid - share(sold.paid, BigInt(units), BigInt(sold.quantity))
    return rest > 0n ? rest : 0n
  }

  /** More units are as many more. Fewer are no more than are left: the scheduled quantity is a total. */
  function scheduledFor({ quantity: later }: ScheduledUpdate): number | null {
    if (later === null) return null
    return later > before ? later - units : Math.min(later, quantity)
  }
}
