import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { TestChoice, TestOutcome } from './page.ts'
import type { ProviderChargeback, ProviderPayment } from './provider-data.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'

/** A payment in the books of a test mode provider. */
export interface TestPayment extends Pick<ProviderPayment, 'ref' | 'status' | 'failureReason'> {
  /** The id of our payment. */
  readonly idempotencyKey: string
  readonly storefrontId: string
  readonly method: PaymentMethod
  readonly amount: Money
  readonly makesMandate: boolean
  /** Set for a charge without the buyer, which has no page. */
  readonly mandateRef: string | null
  readonly locale: Locale | null
  readonly returnUrl: string | null
  readonly createdAt: Date
}

/**
 * Lets merchants and operators decide the outcomes that buyers and banks decide in live mode, and reads the provider's books for
 * the comparison with ours. Each call uses its own transaction.
 */
export interface TestControls {
  /** The payment behind the token of a link to the provider's page. Null if the link is unknown. */
  paymentOfLink(token: string): Promise<TestPayment | null>
  /** The path of a payment's page. */
  pagePath(ref: string): string
  /** The outcomes that can be chosen for a payment. */
  outcomesOf(payment: Pick<TestPayment, 'method' | 'amount'>): TestOutcome[]
  /** Applies the outcome that the buyer chose. A second choice, from another tab or a replay, changes nothing. */
  choose(payment: Pick<TestPayment, 'storefrontId' | 'ref'>, choice: TestChoice): Promise<void>
  /**
   * Applies an outcome to a pending charge. A charge with an outcome keeps that outcome. Returns the current charge.
   */
  simulate(
    tenant: Tenant,
    ref: string,
    outcome: Pick<ProviderPayment, 'status' | 'failureReason'>,
  ): Promise<ProviderPayment>
  /**
   * Declines later charges on a mandate: the next `times`, or all of them with null. Without a reason, later charges succeed and
   * no direct debit is returned.
   */
  declineMandate(
    tenant: Tenant,
    mandateRef: string,
    decline: { readonly reason: FailureReason | null; readonly times: number | null },
  ): Promise<void>
  /** Makes the bank return direct debits on a mandate with a code (ISO 20022), days after the payment. */
  returnDebits(tenant: Tenant, mandateRef: string, code: string): Promise<void>
  /** Makes the bank refuse a refund. Returns false if the bank decided before. */
  refuseRefund(tenant: Tenant, refund: { paymentRef: string; idempotencyKey: string }): Promise<boolean>
  /** The buyer's bank disputes a payment. Returns the chargeback's reference. Refuses `not_found` and `illegal_move`. */
  raiseChargeback(tenant: Tenant, paymentRef: string, disputed: { amount: Money; reason: string }): Promise<string>
  /** Moves a dispute to another status. Refuses `not_found` and `illegal_move`. */
  moveChargeback(tenant: Tenant, ref: string, to: ProviderChargeback['status']): Promise<void>
  /** The payments with these idempotency keys, the oldest first. */
  paymentsByKeys(idempotencyKeys: string[]): Promise<TestPayment[]>
  /** The provider's balance for a storefront, in minor units by currency: payments less refunds and lost disputes. */
  holdings(sql: Sql, tenant: Tenant): Promise<ReadonlyMap<Currency, bigint>>
}
