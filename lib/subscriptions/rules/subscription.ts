import type { BillingDetails } from '../../customers/rules/billing-details.ts'
import type { Interval } from '../../kernel/calendar.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Money } from '../../kernel/money.ts'
import type { SubscriptionStatus } from './state.ts'

export type MandateMethod = 'card' | 'sepa_debit' | 'paypal' | 'bacs_debit'

export interface Mandate {
  readonly id: string
  readonly method: MandateMethod
  readonly maskedIdentifier: string
  readonly status: 'valid' | 'pending'
}

/** Renews from this snapshot of the plan, whatever becomes of the plan. */
export interface Subscription {
  readonly id: string
  readonly testmode: boolean
  readonly customerId: string
  readonly planId: string
  readonly checkoutLineId: string
  readonly name: string
  readonly description: string
  readonly billingAddress: BillingDetails
  /** Per unit and period; with tax when `taxBehavior` is inclusive. Currency and amount are fixed for its life. */
  readonly price: Money
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly quantity: number
  readonly cycle: { readonly interval: Interval; readonly intervalCount: number }
  readonly status: SubscriptionStatus
  readonly mandate: Mandate | null
  /** Periods are counted from here: the start, or the end of the trial. */
  readonly anchorAt: Date | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly canceledAt: Date | null
  readonly cancellationReason: 'payment_failure' | 'merchant_request' | 'customer_request' | null
  readonly renewedAt: Date | null
  readonly renewedUntil: Date | null
  readonly trialUntil: Date | null
  readonly locale: Locale
  readonly createdAt: Date
}

/** When the next charge is due: never once canceled or ended. */
export const nextRenewalAt = ({ status, renewedUntil }: Subscription): Date | null =>
  status === 'active' || status === 'trial' ? renewedUntil : null
