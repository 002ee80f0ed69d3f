import { asFullPeriod } from './carry.ts'
import { share } from './period.ts'
import { effective } from './schedule-change.ts'
import type { Period, ScheduledUpdate, Subscription } from './subscription.ts'

/** The units and amount that the order of a period billed: with tax if the price has tax. */
export interface BilledUnits {
  readonly paid: bigint
  readonly quantity: number
  /** The span of the service; null for lines without one. */
  readonly service: { readonly from: Date; readonly until: Date } | null
}

/**
 * A consumer withdrew from some of the units that a subscription began with (Directive 2011/83/EU, art. 9). The
 * subscription continues with the others. Nothing is charged or credited here: the merchant refunds. The paid amount of
 * the period is lowered by the price of the units in the order of this period (`billed`), whatever the quantity is now.
 * That order is the sale, whose refund is prepared, or a renewal that is billed without the units. The amount paid for
 * another period is returned when it is refunded.
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

  /**
   * If more units are scheduled, the difference stays. If fewer, at most the units that are left: the scheduled
   * quantity is a total.
   */
  function scheduledFor({ quantity: later }: ScheduledUpdate): number | null {
    if (later === null) return null
    return later > before ? later - units : Math.min(later, quantity)
  }
}

/** The paid amount of a period without units that its order billed. */
export function paidWithout(period: Period, units: number, billed: BilledUnits | null): bigint {
  if (!billed) return period.paid
  const amount = share(billed.paid, BigInt(units), BigInt(billed.quantity))
  const part = billed.service ? asFullPeriod([{ ...billed.service, amount }], period) : amount
  return period.paid > part ? period.paid - part : 0n
}
