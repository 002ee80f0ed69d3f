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

/** Anybody can send a notice, so the state in a notice is not trusted. The notice names the payment or chargeback whose state must be fetched. */
export interface ProviderNotice {
  readonly subject: 'payment' | 'chargeback'
  readonly ref: string
  /** `paymentRef` names the payment. In a notice about a chargeback, it names the disputed payment. */
  readonly paymentRef: string
}

export interface MethodsFor {
  readonly amount: Money
  readonly makesMandate: boolean
  /** `country` is an ISO 3166-1 alpha-2 code, or empty if the country is unknown. */
  readonly country: string
}

export type RecentChargeback = Pick<ProviderChargeback, 'ref' | 'paymentRef'> & { readonly isReversed: boolean }

/** The provider refused a first payment permanently, so a retry of the same request would fail again. */
export class FirstPaymentRefused extends Error {
  override readonly name = 'FirstPaymentRefused'
}

/**
 * `chargeMandate` throws this error if money of the earlier payment `made` was refunded or charged back, so that `made`
 * cannot pay the charge.
 */
export class MoneyReturned extends Error {
  override readonly name = 'MoneyReturned'
}

/** `taken`: the provider has the evidence. `refused`: the merchant can send other evidence. `late`: the provider accepts no more evidence. */
export type EvidenceOutcome = 'taken' | 'refused' | 'late'

/**
 * The functions use the network, so never call them inside a transaction. A repeated call with the same idempotency key returns the first result. The keys
 * consist of our ids.
 */
export interface PaymentProvider {
  /**
   * `name` is in lower case. Payments store the name, and the URL for the provider's notices contains it. The name of a storefront's own account contains the
   * id of the account (`modules/provider-accounts`). A name is never reused.
   */
  readonly name: string
  /**
   * Creates a payment that the buyer completes on a page. For a bank transfer, the provider may return the bank details
   * immediately, without a page. A payment of 0.00 only verifies the payment method, and is paid as soon as the buyer
   * completes the page. Throws `FirstPaymentRefused`.
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
   * Charges a mandate without the buyer. Throws `AccountProblem` while the provider refuses charges for a reason that no buyer can change.
   *
   * - `earlier` lists references of the order's charges that this installation recorded as unpaid. If the provider collected one of these
   *   charges after all, the function returns that charge (`isEarlier`) and charges nothing.
   * - `isDisputed`: a dispute has ended the mandate, so nothing is charged. The function returns the result of an earlier call with the
   *   same key, or `notCharged`.
   * - `made` is the reference of a payment that the database lacks after the restore of a backup. This payment pays the charge: the
   *   function returns its state and charges nothing. Throws `MoneyReturned` if money of `made` was refunded or disputed.
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
      made?: string
    },
  ): Promise<ProviderCharge>
  fetchPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Cancels the payment if the provider permits it. Returns the payment in its current state. */
  cancelPayment(tenant: Tenant, ref: string): Promise<ProviderPayment>
  /** Refunds a payment. A repeated call returns the refund in its current state. */
  refund(
    tenant: Tenant,
    request: { idempotencyKey: string; paymentRef: string; amount: Money },
  ): Promise<ProviderRefund>
  /** Cancels a refund that was not sent to the bank yet; the refund is then `failed`. The function is absent for a provider that cannot cancel refunds. */
  cancelRefund?(tenant: Tenant, request: { paymentRef: string; ref: string }): Promise<ProviderRefund>
  fetchChargeback(tenant: Tenant, ref: string): Promise<ProviderChargeback>
  /** Sends an operator's decision on a chargeback above the paid amount. A repeated call changes nothing. */
  answerChargeback(tenant: Tenant, ref: string, answer: 'accepted' | 'rejected'): Promise<void>
  /**
   * Sends evidence against a pending chargeback to the buyer's bank. The idempotency keys are made from the ids in `evidence`, so a repeated call changes
   * nothing. Returns `late` if the chargeback was already decided or already has other evidence. The function is absent for a provider whose API accepts no
   * evidence.
   */
  submitEvidence?(
    tenant: Tenant,
    request: { ref: string; evidence: readonly (Evidence & { readonly id: string })[] },
  ): Promise<EvidenceOutcome>
  /**
   * Reads a POST to `/api/providers/<name>`. Returns null if it is not a notice, for example if the provider's signature is missing. The function is absent
   * for a provider that posts no notices.
   */
  readNotice?(request: {
    headers: Headers
    body: Uint8Array
  }): readonly ProviderNotice[] | null | Promise<readonly ProviderNotice[] | null>
  /** Returns the methods for a first payment. The function is absent for a provider that accepts every method of test mode. */
  methods?(tenant: Tenant, sale: MethodsFor): Promise<readonly PaymentMethod[]>
  /**
   * Returns the minimum of a charge, in minor units. A sale below the minimum is not offered. A subscription change with a smaller charge waits for the
   * renewal or is refused. The function is absent for a provider without a minimum.
   */
  leastCharge?(currency: Currency): bigint
  /**
   * Returns the limits of one charge on a mandate, from the provider's latest response. Returns null if the provider cannot charge mandates of this method in
   * this currency. The function is absent for a provider whose only limit is `leastCharge`.
   */
  chargeLimits?(method: MandateMethod, currency: Currency): ChargeLimits | null
  /** Fetches the limits for `chargeLimits`, at most every five minutes. Until the provider responds, its usual limits apply. */
  learnLimits?(currency: Currency): Promise<void>
  /** Whether payments and refunds are fetched at intervals, because notices can be lost. */
  readonly isPolled?: boolean
  /**
   * Returns pages of the chargebacks of all storefronts, newest first. `isReversed` is true if the money was returned to the merchant. The pages include
   * chargebacks whose notice was lost. If `since` is set, the pages include only chargebacks since that time.
   */
  recentChargebacks?(since?: Date): AsyncIterable<readonly RecentChargeback[]>
  /** Returns pages of payments, refunds, and chargebacks. The function is absent for a built-in provider. */
  booked?(since: Date): AsyncIterable<Booked>
  /**
   * Returns the newest settlements first; null if this account cannot list settlements. The function is absent if no account of the provider can list
   * settlements.
   */
  settlements?(since: Date): Promise<AsyncIterable<BookedSettlement> | null>
  /** Returns the permissions that the credential lacks for reading settlements. The function is absent if every credential has these permissions. */
  missingPermissions?(): Promise<readonly string[]>
  /**
   * Returns the mandate, or null if the mandate has ended. A mandate that is pending when its sale is paid is fetched
   * repeatedly until it is valid. The function is absent for a provider whose mandates are valid immediately. It is
   * also absent for the test provider, where merchants decide whether a mandate becomes valid.
   */
  fetchMandate?(tenant: Tenant, mandateRef: string): Promise<ProviderMandate | null>
  /**
   * Revokes a mandate. The call is safe to repeat, because a missing mandate counts as ended. The function is absent
   * for a provider that stores no mandates.
   */
  revokeMandate?(tenant: Tenant, mandateRef: string): Promise<void>
  /** Deletes buyers' data, including mandates. A repeated call changes nothing. The function is absent for a provider that stores no data of buyers. */
  forgetBuyers?(paymentIds: readonly string[]): Promise<void>
  /** Returns the origins of provider pages that use http. Only a provider on this machine has http pages. */
  plainHttpOrigins?(): readonly string[]
  readonly testControls?: TestControls
}
