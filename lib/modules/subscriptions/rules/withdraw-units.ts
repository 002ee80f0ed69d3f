import { asFullPeriod } from './carry.ts'
import { share } from './period.ts'
import { effective } from './schedule-change.ts'
import type { Period, ScheduledUpdate, Subscription } from './subscription.ts'

/** What the order of a period billed for its units: with tax if the price has it. */
export interface BilledUnits {
  readonly paid: bigint
  readonly quantity: number
  /** Null on lines of before times were kept. */
  readonly service: { readonly from: Date; readonly until: Date } | null
}

/**
 * A consumer withdrew from some of the units that a subscription began with (Directive 2011/83/EU, art. 9): it continues
 * with the others. Nothing is charged or credited, since the merchant refunds. What is paid for the period is lower by what the
 * units cost in the order of it (`billed`), whatever the quantity is by now: in the sale, whose refund is prepared, and in a renewal
 * that is billed without them. What was paid for another period is given back when it is refunded.
 */
export function withdrawUnits(subscription: Subscription, units: number, billed: BilledUnits | null): Subscription {
  const { quantity: before, period, scheduledUpdate: scheduled } = subscription
  const quantity = before - units
  if (quantity < 1) throw new Error('a subscription without units has ended')
  const left = { ...subscription, quantity, period: period && { ...period, paid: paidWithout(period, units, billed) } }
  return {
    ...left,
    scheduledUpdate: scheduled && effective({ ...scheduled, quantity: scheduledFor(scheduled) }, left),
  }

  /** More units are as many more. Fewer are no more than are left: the scheduled quantity is a total. */
  function scheduledFor({ quantity: later }: ScheduledUpdate): number | null {
    if (later === null) return null
    return later > before ? later - units : Math.min(later, quantity)
  }
}

/** What counts as paid for a period without units that its order billed. */
export function paidWithout(period: Period, units: number, billed: BilledUnits | null): bigint {
  if (!billed) return period.paid
  const amount = share(billed.paid, BigInt(units), BigInt(billed.quantity))
  const part = billed.service ? asFullPeriod([{ ...billed.service, amount }], period) : amount
  return period.paid > part ? period.paid - part : 0n
}
