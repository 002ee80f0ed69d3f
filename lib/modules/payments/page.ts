import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { BrandView } from '../brand/page.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'

export { failureReasons } from './rules/failure.ts'
export { onceOnlyMethods, type PaymentMethod, paymentMethods, testMethods } from './rules/method.ts'
export type { TransferDetails } from './rules/transfer-details.ts'

export interface TestPaymentPage {
  locale: Locale
  /** `done`: an outcome was chosen before, and the page links to `returnUrl`. */
  state: 'open' | 'done'
  storefrontName: string
  brand: BrandView
  amount: Amount
  method: PaymentMethod
  /** `returned` (paid, then taken back by the bank days later) needs a direct debit over more than 0.00. */
  outcomes: TestOutcome[]
  /** Nothing is charged: the payment method is verified. */
  isVerification: boolean
  /** True for subscriptions: the page then also offers `mandate` (`valid` or `pending`). */
  withMandate: boolean
  submitUrl: string
  returnUrl: string
}

/** Field names of the page's form, stable as on the checkout: `outcome`, `failureReason`, `mandate`. */
export const outcomes = ['paid', 'returned', 'failed', 'canceled', 'expired'] as const
export type TestOutcome = (typeof outcomes)[number]

export interface TestChoice {
  readonly outcome: TestOutcome
  readonly failureReason: FailureReason
  readonly mandate: 'valid' | 'pending'
}
