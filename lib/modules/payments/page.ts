import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { BrandView } from '../brand/page.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'

export { ProviderUnavailable } from './provider-unavailable.ts'
export { failureReasons } from './rules/failure.ts'
export { onceOnlyMethods, type PaymentMethod, paymentMethods, testMethods } from './rules/method.ts'
export type { TransferDetails } from './rules/transfer-details.ts'

export interface TestPaymentPage {
  locale: Locale
  /** `done`: the buyer already chose an outcome, and the page links to `returnUrl`. */
  state: 'open' | 'done'
  storefrontName: string
  brand: BrandView
  amount: Amount
  method: PaymentMethod
  /** `returned` (paid, then returned by the bank days later) is offered only for a direct debit above 0.00. */
  outcomes: TestOutcome[]
  isVerification: boolean
  /** `withMandate` is true for subscriptions. The page then offers the choice `mandate` (`valid` or `pending`). */
  withMandate: boolean
  submitUrl: string
  returnUrl: string
}

/**
 * The form fields `outcome`, `failureReason`, and `mandate` keep their names, because merchants' tests use these names.
 */
export const outcomes = ['paid', 'returned', 'failed', 'canceled', 'expired'] as const
export type TestOutcome = (typeof outcomes)[number]

export interface TestChoice {
  readonly outcome: TestOutcome
  readonly failureReason: FailureReason
  readonly mandate: 'valid' | 'pending'
}
