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

/** Decides what buyers and banks decide in live mode. Each call uses its own transaction. */
export interface TestControls {
  paymentOfLink(token: string): Promise<TestPayment | null>
  pagePath(ref: string): string
  outcomesOf(payment: Pick<TestPayment, 'method' | 'amount'>): TestOutcome[]
  /** A second choice, from another tab or a replay, changes nothing. */
  choose(payment: Pick<TestPayment, 'storefrontId' | 'ref'>, choice: TestChoice): Promise<void>
  /** A charge with an outcome keeps that outcome. Returns the current charge. */
  simulate(
    tenant: Tenant,
    ref: string,
    outcome: Pick<ProviderPayment, 'status' | 'failureReason'>,
  ): Promise<ProviderPayment>
  /** Declines the next `times` charges, or all with null. Without a reason, charges succeed and debits stay paid. */
  declineMandate(
    tenant: Tenant,
    mandateRef: string,
    decline: { readonly reason: FailureReason | null; readonly times: number | null },
  ): Promise<void>
  /** Makes the bank return direct debits on a mandate with a code (ISO 20022), days after the payment. */
  returnDebits(tenant: Tenant, mandateRef: string, code: string): Promise<void>
  /** Makes the bank refuse a refund. Returns false if the bank decided before. */
  refuseRefund(tenant: Tenant, refund: { paymentRef: string; idempotencyKey: string }): Promise<boolean>
  /** Returns the chargeback's reference. Refuses `not_found` and `illegal_move`. */
  raiseChargeback(tenant: Tenant, paymentRef: string, disputed: { amount: Money; reason: string }): Promise<string>
  /** Refuses `not_found` and `illegal_move`. */
  moveChargeback(tenant: Tenant, ref: string, to: ProviderChargeback['status']): Promise<void>
  paymentsByKeys(idempotencyKeys: string[]): Promise<TestPayment[]>
  /** The provider's balance for a storefront, in minor units by currency: payments less refunds and lost disputes. */
  holdings(sql: Sql, tenant: Tenant): Promise<ReadonlyMap<Currency, bigint>>
}
