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
  /** The name of the payment provider that charges the mandate. */
  readonly provider: string
  readonly method: MandateMethod
  readonly maskedIdentifier: string
  /** For a direct debit: the mandate reference from the provider. If null, the reference is derived from the id. */
  readonly reference: string | null
  readonly status: 'valid' | 'pending'
}

/** A copy of a plan: later changes of the plan do not affect it. */
export interface PlanTerms {
  readonly planId: string
  readonly name: string
  readonly description: string
  /** Per unit and period, in the subscription's currency; with tax if the subscription's `taxBehavior` is inclusive. */
  readonly price: Money
  readonly billingInterval: BillingInterval
}

/** The terms that are billed in each period. */
export interface Terms extends PlanTerms {
  readonly quantity: number
}

/** The last billed period. */
export interface Period {
  readonly startAt: Date
  /** The end of the paid time: `renewedUntil`, except in a trial that began within a paid period. */
  readonly endAt: Date
  /** The length in seconds of a full period, which `paid` is for, even if this period was shortened or extended. */
  readonly seconds: bigint
  /**
   * The billed amount of a full period on these terms, with or without tax as `price` is. Refunds do not reduce it.
   * Refunds that already lowered a credit are included, so that no cent is deducted twice.
   */
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

/** The fields of a scheduled update. All other terms stay when it is applied. */
export interface ScheduledUpdate {
  readonly plan: PlanTerms | null
  readonly price: Money | null
  readonly quantity: number | null
  /** Midnight UTC of the day from which periods are counted, or the renewal itself. */
  readonly anchor: Date | 'renewal' | null
  /** Whether a first period that the anchor shortens costs only its part. */
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
  /** The status that a resume restores; null outside a grace period. */
  readonly resumesTo: 'trial' | 'active' | 'paused' | null
  readonly mandate: Mandate | null
  /** The time from which periods are counted. */
  readonly anchorAt: Date | null
  /**
   * The number of the period in progress, counted from the anchor; -1 for the time before the anchor: a trial, or a
   * shortened period.
   */
  readonly cycleNumber: number
  readonly period: Period | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly canceledAt: Date | null
  readonly cancellationReason: 'payment_failure' | 'merchant_request' | 'customer_request' | null
  /** The customer's own words on the cancellation. */
  readonly cancellationFeedback: CancellationFeedback | null
  readonly renewedAt: Date | null
  readonly renewedUntil: Date | null
  readonly trialUntil: Date | null
  readonly scheduledUpdate: ScheduledUpdate | null
  readonly parked: readonly ProrationLine[]
  /** The merchant's own data, as JSON. Renewals and changes copy it to their orders. */
  readonly metadata: string | null
  readonly locale: Locale
  readonly createdAt: Date
  /** Live mode: the facts besides the billing details that decide the tax, read with the row. */
  readonly taxFacts?: TaxFacts | undefined
}

/** When the next charge is due; null if canceled, ended, or paused. */
export const nextRenewalAt = ({ status, renewedUntil }: Pick<Subscription, 'status' | 'renewedUntil'>): Date | null =>
  status === 'active' || status === 'trial' ? renewedUntil : null

/** The amount of a period on these terms, with or without tax as the price is. */
export const amountOf = ({ price, quantity }: Pick<Terms, 'price' | 'quantity'>): bigint =>
  price.minor * BigInt(quantity)

/** The terms after the given changes. */
export const scheduledTerms = (
  current: Terms,
  { plan, price, quantity }: Pick<ScheduledUpdate, 'plan' | 'price' | 'quantity'>,
): Terms => ({
  ...planOf(plan ?? current),
  ...(price && { price }),
  quantity: quantity ?? current.quantity,
})

/** The subscription's copy of its plan. */
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
 * The differences between two terms as a buyer reads them; undefined if there are none. The price is included only if
 * the plan's name stays, because another plan usually has another price.
 */
export function termsChange(before: Terms & Pick<Subscription, 'taxBehavior'>, after: Terms): TermsChange | undefined {
  const replaced = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const plan = replaced(before.name, after.name)
  const quantity = replaced(before.quantity, after.quantity)
  const price = plan ? null : replaced(formatMoney(before.price), formatMoney(after.price))
  if (!plan && !quantity && !price) return undefined
  return { plan, quantity, price: price && { ...price, withTax: before.taxBehavior === 'inclusive' } }
}
