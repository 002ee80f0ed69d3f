import type { Locale } from '../../kernel/locale.ts'
import type { Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { ChargebackStatus } from '../chargebacks/rules/state.ts'
import type { FailureReason, PaymentMethod } from '../checkouts/page.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'

/** A provider's data of a mandate that a first payment set up. */
export type ProviderMandate = Pick<Mandate, 'method' | 'maskedIdentifier' | 'status'> & { readonly ref: string }

/** A provider's data of a payment. */
export interface ProviderPayment {
  readonly ref: string
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  readonly failureReason: FailureReason | null
  /** Set once the payment set one up. */
  readonly mandate: ProviderMandate | null
  /** By when a pending payment settles. */
  readonly settlesBefore: Date | null
}

/** A provider's data of a refund. */
export interface ProviderRefund {
  readonly ref: string
  /** `pending`: the bank has not decided yet; ask again later. */
  readonly status: 'pending' | 'refunded' | 'failed'
}

/** A provider's data of a chargeback. One that our operator reviews is `pending` there. */
export interface ProviderChargeback {
  readonly ref: string
  readonly paymentRef: string
  /** The disputed amount: not always the amount that was paid. */
  readonly amount: Money
  readonly reason: string
  readonly status: Exclude<ChargebackStatus, 'requires_amount_review' | 'rejected'>
}

/**
 * A payment provider with a hosted page. Calls go over a network: never inside a transaction, always with an
 * idempotency key made of our ids, so that a call that is repeated after a crash finds the result of the first one.
 */
export interface PaymentProvider {
  readonly name: 'sandbox'
  /**
   * Creates a payment that the buyer makes on the provider's page. Over 0.00 it only verifies the method, and settles
   * at once.
   */
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
  /** Charges a mandate without the buyer. The outcome comes at once, or later in an update. */
  chargeMandate(
    tenant: Tenant,
    request: { idempotencyKey: string; amount: Money; method: PaymentMethod; mandateRef: string },
  ): Promise<ProviderPayment>
  fetchPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Cancels a payment that is still open; any other payment stays as it is. Returns the payment as it is now. */
  cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Sends money of a payment back to the buyer. */
  refund(
    tenant: Tenant,
    request: { idempotencyKey: string; paymentRef: string; amount: Money },
  ): Promise<ProviderRefund>
  fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback>
  /** Sends an operator's decision on a chargeback over more than was paid. Repeating it changes nothing. */
  answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void>
}
