import type { Locale } from '../../kernel/locale.ts'
import type { Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { ChargebackStatus } from '../chargebacks/rules/state.ts'
import type { FailureReason, PaymentMethod } from '../checkouts/page.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'

/** What a provider says of a mandate that a first payment set up. */
export type ProviderMandate = Pick<Mandate, 'method' | 'maskedIdentifier' | 'status'> & { readonly ref: string }

/** What a provider says of a payment. */
export interface ProviderPayment {
  readonly ref: string
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  readonly failureReason: FailureReason | null
  /** Set once the payment made one. */
  readonly mandate: ProviderMandate | null
  /** By when a pending payment settles. */
  readonly settlesBefore: Date | null
}

/** What a provider says of a refund. */
export interface ProviderRefund {
  readonly ref: string
  /** `pending`: the bank has not decided; asked again later it has. */
  readonly status: 'pending' | 'refunded' | 'failed'
}

/** What a provider says of a chargeback. What an operator of ours reviews is `pending` there. */
export interface ProviderChargeback {
  readonly ref: string
  readonly paymentRef: string
  /** What is disputed: not always what was paid. */
  readonly amount: Money
  readonly reason: string
  readonly status: Exclude<ChargebackStatus, 'requires_amount_review' | 'rejected'>
}

/**
 * A payment provider with a hosted page. Calls go over a network: never inside a transaction, always with an idempotency
 * key made of our ids, so that a call that is repeated after a crash finds what the first one did.
 */
export interface PaymentProvider {
  readonly name: 'sandbox'
  /** A payment that the buyer makes on the provider's page. Over 0.00 it only verifies the method, and settles at once. */
  createFirstPayment(
    tenant: Tenant,
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
    tenant: Tenant,
    request: { idempotencyKey: string; amount: Money; method: PaymentMethod; mandateRef: string },
  ): Promise<ProviderPayment>
  fetchPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Cancels a payment that is still open; one that is not stays as it is. Answers what it is now. */
  cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Sends money of a payment back. */
  refund(
    tenant: Tenant,
    request: { idempotencyKey: string; paymentRef: string; amount: Money },
  ): Promise<ProviderRefund>
  fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback>
  /** What an operator of ours decided on a chargeback over more than was paid. Told again it changes nothing. */
  answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void>
}
