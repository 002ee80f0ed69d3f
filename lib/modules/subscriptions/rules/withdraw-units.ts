import { asFullPeriod } from './carry.ts'
import { share } from './period.ts'
import { effective } from './schedule-change.ts'
import type { Period, ScheduledUpdate, Subscription } from './subscription.ts'

/** With tax if the price has tax. */
export interface BilledUnits {
  readonly paid: bigint
  readonly quantity: number
  readonly service: { readonly from: Date; readonly until: Date } | null
}

/**
 * A consumer withdrew from some units (Directive 2011/83/EU, art. 9), and the subscription continues with the others.
 * Nothing is charged or credited here: the merchant refunds. The paid amount is lowered by the units' price in the
 * order of this period (`billed`), whatever the quantity is now: the sale, whose refund is prepared, or a renewal that
 * is billed without the units. The amount paid for another period is returned when it is refunded.
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

  /** The scheduled quantity is a total: an increase stays, and a decrease leaves at most the units left. */
  function scheduledFor({ quantity: later }: ScheduledUpdate): number | null {
    if (later === null) return null
    return later > before ? later - units : Math.min(later, quantity)
  }
}

export function paidWithout(period: Period, units: number, billed: BilledUnits | null): bigint {
  if (!billed) return period.paid
  const amount = share(billed.paid, BigInt(units), BigInt(billed.quantity))
  const part = billed.service ? asFullPeriod([{ ...billed.service, amount }], period) : amount
  return period.paid > part ? period.paid - part : 0n
}
