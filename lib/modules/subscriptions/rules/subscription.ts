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
  /** For a direct debit: the provider's mandate reference. If null, it is derived from the id. */
  readonly reference: string | null
  readonly status: 'valid' | 'pending'
}

/** Later changes of the plan do not affect this copy. */
export interface PlanTerms {
  readonly planId: string
  readonly name: string
  readonly description: string
  /** Per unit and period, in the subscription's currency; with tax if the subscription's `taxBehavior` is inclusive. */
  readonly price: Money
  readonly billingInterval: BillingInterval
}

export interface Terms extends PlanTerms {
  readonly quantity: number
}

export interface Period {
  readonly startAt: Date
  /** The end of the paid time: `renewedUntil`, except in a trial that began within a paid period. */
  readonly endAt: Date
  /** The length in seconds of a full period, which `paid` is for, even if this period was shortened or extended. */
  readonly seconds: bigint
  /** Of a full period, with or without tax as `price` is. Includes refunds: no cent is deducted twice. */
  readonly paid: bigint
}

/** A proration line that waits for the next renewal. */
export interface ProrationLine {
  readonly kind: 'unused' | 'remaining'
  readonly name: string
  /** The units whose time is credited or charged (Directive 2006/112/EC, art. 226 (6)). */
  readonly quantity: number
  readonly from: Date
  readonly until: Date
  /** With or without tax as `price` is. Negative for unused time. */
  readonly amount: bigint
  /** The terms that the change replaced; missing if only the length of the period changed. */
  readonly change?: TermsChange
}

/** All other terms stay. */
export interface ScheduledUpdate {
  readonly plan: PlanTerms | null
  readonly price: Money | null
  readonly quantity: number | null
  /** Midnight UTC of the day from which periods are counted, or the renewal itself. */
  readonly anchor: Date | 'renewal' | null
  readonly prorate: boolean
}

/** Renews from this copy of the plan, whatever happens to the plan. */
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
  /** Counted from the anchor; -1 for the time before the anchor: a trial, or a shortened period. */
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
  /** JSON that renewals and changes copy to their orders. */
  readonly metadata: string | null
  readonly locale: Locale
  readonly createdAt: Date
  /** Live mode: the facts besides the billing details that decide the tax, read with the row. */
  readonly taxFacts?: TaxFacts | undefined
}

/** Null if canceled, ended, or paused. */
export const nextRenewalAt = ({ status, renewedUntil }: Pick<Subscription, 'status' | 'renewedUntil'>): Date | null =>
  status === 'active' || status === 'trial' ? renewedUntil : null

/** With or without tax as the price is. */
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

/** Undefined if nothing differs. Another plan usually has another price, so its price is left out. */
export function termsChange(before: Terms & Pick<Subscription, 'taxBehavior'>, after: Terms): TermsChange | undefined {
  const replaced = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const plan = replaced(before.name, after.name)
  const quantity = replaced(before.quantity, after.quantity)
  const price = plan ? null : replaced(formatMoney(before.price), formatMoney(after.price))
  if (!plan && !quantity && !price) return undefined
  return { plan, quantity, price: price && { ...price, withTax: before.taxBehavior === 'inclusive' } }
}
