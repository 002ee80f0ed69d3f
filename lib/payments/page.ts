import type { Amount, PaymentMethod } from '../checkouts/page.ts'
import type { Locale } from '../kernel/locale.ts'

/** The built-in test payment page: clearly a test, the outcome is chosen. */
export interface TestPaymentPage {
  locale: Locale
  /** `done`: an outcome was chosen already; the page links on to `returnUrl`. */
  state: 'open' | 'done'
  storefrontName: string
  amount: Amount
  method: PaymentMethod
  /** True for subscriptions: the page then also offers `mandate` (`valid` or `pending`). */
  withMandate: boolean
  submitUrl: string
  returnUrl: string
}

/** Field names of the page's form, a promise as on the checkout: `outcome`, `failureReason`, `mandate`. */
export const outcomes = ['paid', 'failed', 'canceled', 'expired'] as const
export type Outcome = (typeof outcomes)[number]
