import type { FailureReason, PaymentMethod } from '../checkouts/page.ts'
import type { Locale } from '../kernel/locale.ts'
import type { Money } from '../kernel/money.ts'
import type { Scope } from '../platform/clock.ts'

/** What a provider says of a payment. */
export interface ProviderPayment {
  readonly ref: string
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  readonly failureReason: FailureReason | null
  /** Set once the payment made one. */
  readonly mandate: { readonly status: 'valid' | 'pending' } | null
  /** By when a pending payment settles. */
  readonly settlesBefore: Date | null
}

/**
 * A payment provider with a hosted page. Calls go over a network: never inside a transaction, always with an idempotency
 * key made of our ids, so that a call that is repeated after a crash finds what the first one did.
 */
export interface PaymentProvider {
  readonly name: 'sandbox'
  createFirstPayment(
    scope: Scope,
    request: {
      idempotencyKey: string
      amount: Money
      method: PaymentMethod
      makesMandate: boolean
      locale: Locale
      /** Where the provider sends the buyer afterwards, whatever the outcome. */
      returnUrl: string
    },
  ): Promise<{ ref: string; redirectUrl: string }>
  /** Charges a mandate without the buyer. The outcome may come at once, or later as news. */
  chargeMandate(
    scope: Scope,
    request: { idempotencyKey: string; amount: Money; method: PaymentMethod; mandateRef: string },
  ): Promise<ProviderPayment>
  fetchPayment(scope: Scope, ref: string): Promise<ProviderPayment>
  /** Cancels a payment that is still open; one that is not stays as it is. Answers what it is now. */
  cancelPayment(scope: Scope, ref: string): Promise<ProviderPayment>
}
