import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { formatMoney, type Money } from '../../../kernel/money.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { TermsChange } from '../../orders/rules/order.ts'
import type { TaxFacts } from '../../tax/rules/index.ts'
import type { CancellationFeedback } from './feedback.ts'
import type { SubscriptionStatus } from './state.ts'

export type MandateMethod = 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'

export interface Mandate {
  readonly id: string
  readonly provider: string
  readonly method: MandateMethod
  readonly maskedIdentifier: string
  /** The provider's reference of a direct debit mandate. Null if the reference is derived from the id. */
  readonly reference: string | null
  readonly status: 'valid' | 'pending'
}

/** A copy of the plan's terms, which later changes of the plan do not affect. */
export interface PlanTerms {
  readonly planId: string
  readonly name: string
  readonly description: string
  /** The price per unit and period, in the subscription's currency. It includes tax if the subscription's `taxBehavior` is inclusive. */
  readonly price: Money
  readonly billingInterval: BillingInterval
}

export interface Terms extends PlanTerms {
  readonly quantity: number
}

export interface Period {
  readonly startAt: Date
  /** The end of the paid time. It equals `renewedUntil`, except in a trial that began within a paid period. */
  readonly endAt: Date
  /** The length of a full period. `paid` is the amount for this length, even if this period was shortened or extended. */
  readonly seconds: bigint
  /** The amount paid for a full period. It includes tax if `price` includes tax. Refunds are not deducted here, because the credit of a change deducts them. */
  readonly paid: bigint
}

/** A line for the credit or charge of a change. A line in `parked` is billed with the next renewal. */
export interface ProrationLine {
  readonly kind: 'unused' | 'remaining'
  readonly name: string
  readonly quantity: number
  readonly from: Date
  readonly until: Date
  /** In minor units, and negative for unused time. It includes tax if `price` includes tax. */
  readonly amount: bigint
  /** The replaced terms; absent if only the length of the period changed. */
  readonly change?: TermsChange
}

/** The next renewal applies the update. Terms that are null do not change. */
export interface ScheduledUpdate {
  readonly plan: PlanTerms | null
  readonly price: Money | null
  readonly quantity: number | null
  /** Midnight UTC of the day from which periods are counted, or `renewal` for the date of the renewal. */
  readonly anchor: Date | 'renewal' | null
  readonly prorate: boolean
}

export interface Subscription extends Terms {
  readonly id: string
  readonly testmode: boolean
  readonly customerId: string
  readonly checkoutLineId: string
  readonly billingAddress: BillingDetails
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly status: SubscriptionStatus
  readonly resumesTo: 'trial' | 'active' | 'paused' | null
  readonly mandate: Mandate | null
  readonly anchorAt: Date | null
  /**
   * The number of the cycle, counted from the anchor. It is -1 in a trial, and in a period that was shortened or extended to end at the
   * anchor.
   */
  readonly cycleNumber: number
  readonly period: Period | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly canceledAt: Date | null
  readonly cancellationReason: 'payment_failure' | 'merchant_request' | 'customer_request' | null
  readonly cancellationFeedback: CancellationFeedback | null
  readonly renewedAt: Date | null
  readonly renewedUntil: Date | null
  readonly trialUntil: Date | null
  readonly scheduledUpdate: ScheduledUpdate | null
  readonly parked: readonly ProrationLine[]
  /** JSON, which renewals and changes copy to their orders. */
  readonly metadata: string | null
  readonly locale: Locale
  readonly createdAt: Date
  /** The facts that decide the tax in live mode, in addition to the billing details. */
  readonly taxFacts?: TaxFacts | undefined
}

export const nextRenewalAt = ({ status, renewedUntil }: Pick<Subscription, 'status' | 'renewedUntil'>): Date | null =>
  status === 'active' || status === 'trial' ? renewedUntil : null

/** The amount of a period in minor units. It includes tax if the price includes tax. */
export const amountOf = ({ price, quantity }: Pick<Terms, 'price' | 'quantity'>): bigint =>
  price.minor * BigInt(quantity)

export const scheduledTerms = (
  current: Terms,
  { plan, price, quantity }: Pick<ScheduledUpdate, 'plan' | 'price' | 'quantity'>,
): Terms => ({
  ...planOf(plan ?? current),
  ...(price && { price }),
  quantity: quantity ?? current.quantity,
})

export const planOf = ({ planId, name, description, price, billingInterval }: PlanTerms): PlanTerms => ({
  planId,
  name,
  description,
  price,
  billingInterval,
})

export const sameInterval = (a: BillingInterval, b: BillingInterval): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.planId === b.planId &&
  a.name === b.name &&
  a.description === b.description &&
  a.price.minor === b.price.minor &&
  a.quantity === b.quantity &&
  sameInterval(a.billingInterval, b.billingInterval)

/**
 * Returns the differences between the terms. Returns undefined if nothing differs. If the name of the plan changes, the
 * result omits the price, because another plan usually has another price.
 */
export function termsChange(before: Terms & Pick<Subscription, 'taxBehavior'>, after: Terms): TermsChange | undefined {
  const replaced = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const plan = replaced(before.name, after.name)
  const quantity = replaced(before.quantity, after.quantity)
  const price = plan ? null : replaced(formatMoney(before.price), formatMoney(after.price))
  if (!plan && !quantity && !price) return undefined
  return { plan, quantity, price: price && { ...price, withTax: before.taxBehavior === 'inclusive' } }
}
