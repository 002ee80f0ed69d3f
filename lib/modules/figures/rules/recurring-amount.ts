import type { BillingInterval } from '../../../kernel/calendar.ts'
import { type Currency, type Fraction, type Money, sum } from '../../../kernel/money.ts'
import { perMonth } from '../../subscriptions/rules/recurring.ts'
import type { SubscriptionStatus } from '../../subscriptions/rules/state.ts'

/** The amount that a subscription adds to the monthly recurring revenue (MRR) of its currency. */
export interface RecurringAmount {
  readonly currency: Currency
  /** `amount` is in minor units per month, without tax. */
  readonly amount: bigint
  readonly planId: string
}

export interface ShownTerms {
  readonly status: SubscriptionStatus
  /** The status before the grace period that follows a cancellation. Null outside a grace period. */
  readonly canceledFrom: SubscriptionStatus | null
  readonly planId: string
  readonly price: Money
  readonly quantity: number
  readonly every: BillingInterval
  readonly includedTax: Fraction
}

/**
 * The MRR after an event. An active subscription counts, even with an unpaid order, until the recovery ends the
 * subscription. If an active subscription is canceled, it counts until its paid period ends. Trials and pauses do not
 * count.
 */
export function recurringAfter(shown: ShownTerms): RecurringAmount {
  const { status, canceledFrom, planId, price, quantity, every, includedTax } = shown
  const counts = status === 'active' || (status === 'on_grace_period' && canceledFrom === 'active')
  const amount = counts ? perMonth(price.minor * BigInt(quantity), every, includedTax) : 0n
  return { currency: price.currency, amount, planId }
}

export const isSameAmount = (a: RecurringAmount | null, b: RecurringAmount): boolean =>
  (a?.amount ?? 0n) === b.amount && (b.amount === 0n || (a?.currency === b.currency && a.planId === b.planId))

export const sumIn = (amounts: Iterable<RecurringAmount>, currency: Currency): bigint =>
  sum([...amounts].filter((each) => each.currency === currency).map(({ amount }) => amount))
