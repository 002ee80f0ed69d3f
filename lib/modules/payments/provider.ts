import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Evidence } from '../chargebacks/rules/evidence.ts'
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

/** Anybody can send a notice, so it carries no state, and the state is fetched. */
export interface ProviderNotice {
  readonly subject: 'payment' | 'chargeback'
  readonly ref: string
  /** For a chargeback: the disputed payment. */
  readonly paymentRef: string
}

export interface MethodsFor {
  readonly amount: Money
  readonly makesMandate: boolean
  /** ISO 3166-1 alpha-2. Empty while unknown. */
  readonly country: string
}

export type RecentChargeback = Pick<ProviderChargeback, 'ref' | 'paymentRef'> & { readonly isReversed: boolean }

/** A provider refuses a first payment permanently: the same request would be refused again. */
export class FirstPaymentRefused extends Error {
  override readonly name = 'FirstPaymentRefused'
}

/** `refused` if other evidence can be sent. */
export type EvidenceOutcome = 'taken' | 'refused' | 'late'

/**
 * Calls use the network: never call inside a transaction, and always pass an idempotency key made of our ids, so that a
 * repeated call returns the result of the first call.
 */
export interface PaymentProvider {
  /**
   * The name in our rows and in the URL of notices, in lower case. A storefront's own account has the account's id in
   * its name (`modules/provider-accounts`). A name is never reused.
   */
  readonly name: string
  /**
   * Creates a payment on the provider's page. If a bank transfer already has its bank details, the buyer returns at once. A payment of
   * 0.00 only verifies the method, and is paid at once. Throws `FirstPaymentRefused`.
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
      returnUrl: string
    },
  ): Promise<{ ref: string; redirectUrl: string }>
  /**
   * Charges a mandate without the buyer. `earlier` lists the order's charges that ended unpaid here: if one took the
   * money after all, it is returned and nothing is charged (`isEarlier`). A mandate that a dispute ended (`isDisputed`)
   * is not charged: returns the result of an earlier call with the key, else `notCharged`. Throws `AccountProblem`
   * while the provider refuses for a reason that no buyer can change.
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
  /** Any other payment, or one that the provider cannot cancel, does not change. Returns the payment. */
  cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Sends money of a payment back to the buyer. A repeated call returns the refund in its current state. */
  refund(
    tenant: Tenant,
    request: { idempotencyKey: string; paymentRef: string; amount: Money },
  ): Promise<ProviderRefund>
  /**
   * Cancels a refund that was not sent to the bank yet; its status is then `failed`. Any other refund does not change.
   * Returns the refund. Absent for a provider that cannot cancel refunds.
   */
  cancelRefund?(tenant: Tenant, request: { paymentRef: string; ref: string }): Promise<ProviderRefund>
  /** Refuses `not_found` if the provider has no such chargeback. */
  fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback>
  /** Sends an operator's decision on a chargeback above the paid amount. A repeated call changes nothing. */
  answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void>
  /**
   * Sends the evidence of a merchant against a pending chargeback, for the decision of the buyer's bank. A repeated call
   * changes nothing: the ids of the parts make its keys. Nothing is sent, and the outcome is `late`, if the chargeback was decided or has
   * other evidence. Absent for a provider that takes no evidence by its API.
   */
  submitEvidence?(
    tenant: Tenant,
    request: { ref: string; evidence: readonly (Evidence & { readonly id: string })[] },
  ): Promise<EvidenceOutcome>
  /**
   * Reads a notice posted to `/api/providers/<name>`. Null for anything else, for example without the provider's signature. Absent
   * for a provider that posts no notices.
   */
  readNotice?(request: {
    headers: Headers
    body: Uint8Array
  }): readonly ProviderNotice[] | null | Promise<readonly ProviderNotice[] | null>
  /** The methods of a first payment. Absent for a provider that accepts every method of test mode. */
  methods?(tenant: Tenant, sale: MethodsFor): Promise<readonly PaymentMethod[]>
  /**
   * In minor units. A sale below the minimum is not offered. A change with a charge below the minimum waits for the
   * renewal or is refused. Absent for a provider without a minimum.
   */
  leastCharge?(currency: Currency): bigint
  /**
   * The limits of one charge on a mandate, from the provider's last statement. Null for a method whose mandates the provider does not
   * charge. Absent for a provider whose only limit is `leastCharge`.
   */
  chargeLimits?(method: MandateMethod, currency: Currency): ChargeLimits | null
  /** Fetches the limits for `chargeLimits`, at most every five minutes. Without a response the usual limits apply. */
  learnLimits?(currency: Currency): Promise<void>
  /** Whether payments and refunds are also fetched at intervals, because notices can be lost. */
  readonly isPolled?: boolean
  /**
   * The chargebacks of all tenants, newest first, in pages, with whether the money came back. Finds chargebacks whose
   * notice was lost. With `since`, only chargebacks from that time on.
   */
  recentChargebacks?(since?: Date): AsyncIterable<readonly RecentChargeback[]>
  /** The account's payments, refunds, and chargebacks since a time, in parts. Absent for a built-in provider. */
  booked?(since: Date): AsyncIterable<Booked>
  /** The settlements since a time, newest first. Null if this account cannot list them. Absent if the provider never can. */
  settlements?(since: Date): Promise<AsyncIterable<BookedSettlement> | null>
  /** Permissions that the credential lacks for reading settlements. Absent if every credential has them. */
  missingPermissions?(): Promise<readonly string[]>
  /**
   * Null after the mandate's end. A mandate that was pending at its sale is fetched until it is valid. Absent for a
   * provider whose mandates are valid at once, and for the test provider, where merchants decide.
   */
  fetchMandate?(tenant: Tenant, mandateRef: string): Promise<ProviderMandate | null>
  /** Safe to repeat; a missing mandate counts as ended. Absent for a provider that keeps no mandates. */
  revokeMandate?(tenant: Tenant, mandateRef: string): Promise<void>
  /** Includes mandates. A repeated call changes nothing. Absent for a provider that keeps no data of buyers. */
  forgetBuyers?(paymentIds: readonly string[]): Promise<void>
  /** Origins of the provider's pages without https, for a provider that runs on this machine. */
  plainHttpOrigins?(): readonly string[]
  /** What a provider of test mode lets merchants and operators decide. Absent for any other provider. */
  readonly testControls?: TestControls
}
