import type { Locale } from '../../kernel/locale.ts'
import type { Currency, Money } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { TestChoice, TestOutcome } from './page.ts'
import type { ProviderChargeback, ProviderPayment } from './provider-data.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'

export interface TestPayment extends Pick<ProviderPayment, 'ref' | 'status' | 'failureReason'> {
  readonly idempotencyKey: string
  readonly storefrontId: string
  readonly method: PaymentMethod
  readonly amount: Money
  readonly makesMandate: boolean
  readonly mandateRef: string | null
  readonly locale: Locale | null
  readonly returnUrl: string | null
  readonly createdAt: Date
}

/** Makes the decisions of buyers and banks in test mode. Each call uses its own transaction. */
export interface TestControls {
  paymentOfLink(token: string): Promise<TestPayment | null>
  pagePath(ref: string): string
  outcomesOf(payment: Pick<TestPayment, 'method' | 'amount'>): TestOutcome[]
  /** Applies the outcome that the tester chose. If the payment already has an outcome, for example from another tab, does nothing. */
  choose(payment: Pick<TestPayment, 'storefrontId' | 'ref'>, choice: TestChoice): Promise<void>
  /** Simulates the outcome of a charge. A charge that already has an outcome does not change. */
  simulate(
    tenant: Tenant,
    ref: string,
    outcome: Pick<ProviderPayment, 'status' | 'failureReason'>,
  ): Promise<ProviderPayment>
  /**
   * Declines the next `times` charges on a mandate, or all charges if `times` is null. If `reason` is null, ends the
   * declines, and the bank returns no further debits.
   */
  declineMandate(
    tenant: Tenant,
    mandateRef: string,
    decline: { readonly reason: FailureReason | null; readonly times: number | null },
  ): Promise<void>
  /** Makes the bank return each later direct debit on the mandate five days after its payment. `code` is an ISO 20022 reason code. */
  returnDebits(tenant: Tenant, mandateRef: string, code: string): Promise<void>
  /** Makes the bank refuse a refund. Returns false if the bank already decided. */
  refuseRefund(tenant: Tenant, refund: { paymentRef: string; idempotencyKey: string }): Promise<boolean>
  /** Returns the chargeback's reference. Throws `not_found` or `illegal_move`. */
  raiseChargeback(tenant: Tenant, paymentRef: string, disputed: { amount: Money; reason: string }): Promise<string>
  /** Throws `not_found` or `illegal_move`. */
  moveChargeback(tenant: Tenant, ref: string, to: ProviderChargeback['status']): Promise<void>
  paymentsByKeys(idempotencyKeys: string[]): Promise<TestPayment[]>
  /** Returns payments less refunds and lost disputes, in minor units by currency. */
  holdings(sql: Sql, tenant: Tenant): Promise<ReadonlyMap<Currency, bigint>>
}
