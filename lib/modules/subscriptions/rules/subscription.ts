import type { Interval } from '../../../kernel/calendar.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { formatMoney, type Money } from '../../../kernel/money.ts'
import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { TermsChange } from '../../orders/rules/order.ts'
import type { SubscriptionStatus } from './state.ts'

export type MandateMethod = 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'

export interface Mandate {
  readonly id: string
  readonly method: MandateMethod
  readonly maskedIdentifier: string
  readonly status: 'valid' | 'pending'
}

export interface BillingInterval {
  readonly interval: Interval
  readonly intervalCount: number
}

/** A plan as it is taken over: from then on the plan itself does not matter. */
export interface PlanTerms {
  readonly planId: string
  readonly name: string
  readonly description: string
  /** Per unit and period; with tax when the subscription's `taxBehavior` is inclusive. In the subscription's currency. */
  readonly price: Money
  readonly cycle: BillingInterval
}

/** What is billed in each period. */
export interface Terms extends PlanTerms {
  readonly quantity: number
}

/** The period that was billed last. */
export interface Period {
  readonly startAt: Date
  /** Until when it is paid: `renewedUntil`, but in a trial that began while a paid period ran. */
  readonly endAt: Date
  /** The length of a full period: what `paid` is for, also where this one was cut or stretched. */
  readonly seconds: bigint
  /** What a full period of these terms was billed at, in the sense of `price`. */
  readonly paid: bigint
}

/** A line of a proration that waits for the next renewal. */
export interface ProrationLine {
  readonly kind: 'unused' | 'remaining'
  readonly name: string
  readonly from: Date
  readonly until: Date
  /** In the sense of `price`; negative for time that was not used. */
  readonly amount: bigint
  /** What the change behind it replaced; none where only the length of the period did. */
  readonly change?: TermsChange
}

/** What a scheduled update names; the rest stays as it is when the update is applied. */
export interface ScheduledUpdate {
  readonly plan: PlanTerms | null
  readonly price: Money | null
  readonly quantity: number | null
  /** Midnight of the day that periods are counted from, or the renewal itself. */
  readonly anchor: Date | 'renewal' | null
  /** Whether a first period that the anchor cuts costs its part. */
  readonly prorate: boolean
}

/** Renews from this snapshot of the plan, whatever becomes of the plan. */
export interface Subscription extends Terms {
  readonly id: string
  readonly testmode: boolean
  readonly customerId: string
  readonly checkoutLineId: string
  readonly billingAddress: BillingDetails
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly status: SubscriptionStatus
  /** In a grace period what it was before, and is again once it is resumed; null otherwise. */
  readonly resumesTo: 'trial' | 'active' | 'paused' | null
  readonly mandate: Mandate | null
  /** Periods are counted from here. */
  readonly anchorAt: Date | null
  /** The number of the period in progress, counted from the anchor; -1 is what comes before it: a trial, or a cut period. */
  readonly cycleNumber: number
  readonly period: Period | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly canceledAt: Date | null
  readonly cancellationReason: 'payment_failure' | 'merchant_request' | 'customer_request' | null
  readonly renewedAt: Date | null
  readonly renewedUntil: Date | null
  readonly trialUntil: Date | null
  readonly scheduledUpdate: ScheduledUpdate | null
  readonly parked: readonly ProrationLine[]
  readonly locale: Locale
  readonly createdAt: Date
}

/** When the next charge is due: never once canceled or ended, and not while paused. */
export const nextRenewalAt = ({ status, renewedUntil }: Pick<Subscription, 'status' | 'renewedUntil'>): Date | null =>
  status === 'active' || status === 'trial' ? renewedUntil : null

/** What a period of these terms is billed at, before or with tax as the price is. */
export const amountOf = ({ price, quantity }: Pick<Terms, 'price' | 'quantity'>): bigint =>
  price.minor * BigInt(quantity)

/** The terms that hold once what is named is taken over. */
export const scheduledTerms = (
  current: Terms,
  { plan, price, quantity }: Pick<ScheduledUpdate, 'plan' | 'price' | 'quantity'>,
): Terms => ({
  ...planOf(plan ?? current),
  ...(price && { price }),
  quantity: quantity ?? current.quantity,
})

/** The plan as the subscription has it. */
export const planOf = ({ planId, name, description, price, cycle }: PlanTerms): PlanTerms => ({
  planId,
  name,
  description,
  price,
  cycle,
})

export const sameInterval = (a: BillingInterval, b: BillingInterval): boolean =>
  a.interval === b.interval && a.intervalCount === b.intervalCount

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.planId === b.planId &&
  a.name === b.name &&
  a.description === b.description &&
  a.price.minor === b.price.minor &&
  a.quantity === b.quantity &&
  sameInterval(a.cycle, b.cycle)

/**
 * What differs between two terms as a buyer reads it; undefined when nothing does. Another plan has another price as a rule: it is
 * named only where the plan's name stays.
 */
export function termsChange(before: Terms & Pick<Subscription, 'taxBehavior'>, after: Terms): TermsChange | undefined {
  const replaced = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const plan = replaced(before.name, after.name)
  const quantity = replaced(before.quantity, after.quantity)
  const price = plan ? null : replaced(formatMoney(before.price), formatMoney(after.price))
  if (!plan && !quantity && !price) return undefined
  return { plan, quantity, price: price && { ...price, withTax: before.taxBehavior === 'inclusive' } }
}
