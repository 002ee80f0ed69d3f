import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { MandateMethod } from '../subscriptions/rules/index.ts'
import type {
  Booked,
  BookedSettlement,
  ProviderCharge,
  ProviderChargeback,
  ProviderMandate,
  ProviderPayment,
  ProviderRefund,
} from './provider-data.ts'
import type { ChargeLimits } from './rules/charge-limits.ts'
import type { PaymentMethod } from './rules/method.ts'
import type { TestControls } from './test-controls.ts'

/** What a provider's notice is about. It has no content: the state is fetched, since anybody can send a notice. */
export interface ProviderNotice {
  readonly subject: 'payment' | 'chargeback'
  readonly ref: string
  /** The payment that it concerns; of a payment its own reference. */
  readonly paymentRef: string
}

/** What is to be paid on a provider's page, as far as the choice of methods depends on it. */
export interface MethodsFor {
  readonly amount: Money
  readonly makesMandate: boolean
  /** ISO 3166-1 alpha-2; '' while it is unknown. */
  readonly country: string
}

export type RecentChargeback = Pick<ProviderChargeback, 'ref' | 'paymentRef'> & { readonly isReversed: boolean }

/** A provider refuses a first payment for good, whatever is wrong with it: the same request would be refused again. */
export class FirstPaymentRefused extends Error {
  override readonly name = 'FirstPaymentRefused'
}

/**
 * A payment provider with a hosted page. Calls go over a network: never inside a transaction, always with an
 * idempotency key made of our ids, so that a call that is repeated after a crash finds the result of the first one.
 */
export interface PaymentProvider {
  /**
   * Its name in our rows and in the address of its notices, in lower-case letters; of a storefront's own account there with the
   * account's id (`modules/provider-accounts`). Never reused for another one.
   */
  readonly name: string
  /**
   * Creates a payment that the buyer makes on the provider's page. If a bank transfer already has its bank details, the buyer returns
   * at once. A payment of 0.00 only verifies the method, and is paid at once. Throws `FirstPaymentRefused`.
   */
  createFirstPayment(
    tenant: Tenant,
    request: {
      idempotencyKey: string
      orderId: string
      amount: Money
      method: PaymentMethod
      makesMandate: boolean
      buyer: { name: string | null; email: string | null }
      locale: Locale
      /** Where the provider sends the buyer afterwards, whatever the outcome. */
      returnUrl: string
    },
  ): Promise<{ ref: string; redirectUrl: string }>
  /**
   * Charges a mandate without the buyer. The outcome comes at once, or later in an update. `earlier` are the references of charges of
   * the order that ended unpaid here: if one of them took the money after all, nothing is charged and that charge is returned
   * (`isEarlier`). Throws `AccountProblem` while the provider refuses for a reason that no buyer can change.
   * On a mandate that a dispute ended (`isDisputed`) nothing new is charged: returns what an earlier call with the key made, else
   * `notCharged`.
   */
  chargeMandate(
    tenant: Tenant,
    request: {
      idempotencyKey: string
      orderId: string
      amount: Money
      method: PaymentMethod
      mandateRef: string
      earlier?: readonly string[]
      isDisputed?: boolean
    },
  ): Promise<ProviderCharge>
  fetchPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /**
   * Cancels a payment that is still open; any other payment stays as it is, and so does one that the provider cannot
   * cancel. Returns the payment as it is now.
   */
  cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Sends money of a payment back to the buyer. A repeated call returns the refund as it is by then. */
  refund(
    tenant: Tenant,
    request: { idempotencyKey: string; paymentRef: string; amount: Money },
  ): Promise<ProviderRefund>
  /**
   * Cancels a refund that it has not passed on to the bank; any other stays as it is. Returns the refund as it is now: one that
   * was canceled has failed. Absent for a provider that cannot.
   */
  cancelRefund?(tenant: Tenant, request: { paymentRef: string; ref: string }): Promise<ProviderRefund>
  /** Refuses `not_found` if it is not there. */
  fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback>
  /** Sends an operator's decision on a chargeback over more than was paid. Repeating it changes nothing. */
  answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void>
  /**
   * Reads a notice that was posted to `/api/providers/<name>`. Null if it is none, for instance without the provider's
   * signature. Absent for a provider that posts none.
   */
  readNotice?(request: {
    headers: Headers
    body: Uint8Array
  }): readonly ProviderNotice[] | null | Promise<readonly ProviderNotice[] | null>
  /** The methods that a first payment can be made with. Absent for a provider that takes every method of test mode. */
  methods?(tenant: Tenant, sale: MethodsFor): Promise<readonly PaymentMethod[]>
  /**
   * The least that it charges in a currency, in minor units: a sale with a lower charge is not offered, and a change that makes
   * one waits for the renewal or is refused. Absent for a provider that charges any amount.
   */
  leastCharge?(currency: Currency): bigint
  /**
   * The limits of one charge on a mandate, as the provider last stated them; null for a method on whose mandates the
   * provider charges nothing. Absent for a provider whose only limit is `leastCharge`.
   */
  chargeLimits?(method: MandateMethod, currency: Currency): ChargeLimits | null
  /** Reads the limits for `chargeLimits` at most every five minutes. Without a response the usual limits hold. */
  learnLimits?(currency: Currency): Promise<void>
  /** Whether payments and refunds are also asked about from time to time, since notices can be lost. */
  readonly isPolled?: boolean
  /**
   * The chargebacks of all tenants, which a notice may have missed, and whether the money has come back: the newest first, a page
   * at a time; all of them, or those since a moment.
   */
  recentChargebacks?(since?: Date): AsyncIterable<readonly RecentChargeback[]>
  /** All payments, refunds and chargebacks of its account that were made since a moment, in parts. Absent for a built-in provider. */
  booked?(since: Date): AsyncIterable<Booked>
  /** What it has paid us since a moment, the newest first. Null where it cannot say that; absent for a provider that never does. */
  settlements?(since: Date): Promise<AsyncIterable<BookedSettlement> | null>
  /**
   * The missing permissions of the credential that reads settlements, by the provider's names. Absent if any
   * credential may.
   */
  missingPermissions?(): Promise<readonly string[]>
  /**
   * The present state of a mandate, null once it ended. A mandate that was pending at its sale is read until it is
   * valid. Absent for a provider whose mandates are valid at once, and for the test provider, where merchants decide.
   */
  fetchMandate?(tenant: Tenant, mandateRef: string): Promise<ProviderMandate | null>
  /**
   * Ends a mandate, so that nobody can charge it. Repeating it changes nothing, and one that is gone is ended. Absent for a provider
   * that keeps none.
   */
  revokeMandate?(tenant: Tenant, mandateRef: string): Promise<void>
  /**
   * Deletes what it keeps of the buyers of these payments of ours, mandates included. Repeating it changes nothing. Absent for
   * a provider that keeps nothing.
   */
  forgetBuyers?(paymentIds: readonly string[]): Promise<void>
  /** Origins of its pages that are not reached by https, for a provider that is tried on this machine. */
  plainHttpOrigins?(): readonly string[]
  /** What a provider of test mode lets merchants and operators decide. Absent for any other provider. */
  readonly testControls?: TestControls
}
