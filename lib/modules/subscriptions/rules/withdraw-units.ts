import { asFullPeriod } from './carry.ts'
import { share } from './period.ts'
import { effective } from './schedule-change.ts'
import type { Period, ScheduledUpdate, Subscription } from './subscription.ts'

/** `paid` includes tax if the price includes tax. */
export interface BilledUnits {
  readonly paid: bigint
  readonly quantity: number
  readonly service: { readonly from: Date; readonly until: Date } | null
}

/**
 * Applies a partial withdrawal (Directive 2011/83/EU, art. 9). Reduces the paid amount by the price that the order of this period (`billed`) charged for the
 * withdrawn units. Charges and credits nothing, because the merchant refunds these units.
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
   * Returns the scheduled quantity after the withdrawal. A scheduled increase keeps its number of added units. A
   * scheduled decrease is limited to the remaining units.
   */
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
