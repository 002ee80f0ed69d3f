import type { Duration } from '../../kernel/calendar.ts'
import type { Money } from '../../kernel/money.ts'
import type { ChargebackStatus } from '../chargebacks/rules/state.ts'
import type { BookedChargeback, BookedPayment, BookedRefund } from '../reconciliations/rules/compare.ts'
import type { SettlementSums } from '../reconciliations/rules/settlement.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'
import type { TransferDetails } from './rules/transfer-details.ts'

/** A test helper decides the outcome of these payments. No provider has them. */
export const simulatedProvider = 'simulated'

export type ProviderMandate = Omit<Mandate, 'id' | 'reference'> & {
  readonly ref: string
  readonly reference?: string | null
}

/** The reference is null if the provider refused to create a payment. */
export type ProviderCharge = Omit<ProviderPayment, 'ref'> & {
  readonly ref: string | null
  /** An earlier charge of the order (`ref`) took the money, so that nothing was charged now. */
  readonly isEarlier?: true
}

/** The outcome of a charge on a mandate that a dispute ended before the provider was asked. */
export const notCharged: ProviderCharge = {
  ref: null,
  status: 'failed',
  failureReason: 'mandate_canceled',
  mandate: null,
  settlesBefore: null,
}

export interface ProviderPayment {
  readonly ref: string
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  readonly failureReason: FailureReason | null
  /** A buyer may choose another method on the provider's page. Absent or null if the provider does not name it. */
  readonly method?: PaymentMethod | null
  readonly mandate: ProviderMandate | null
  /** The time by which a pending payment settles. A bank transfer that has not arrived by then expires. */
  readonly settlesBefore: Date | null
  /** The bank details of a transfer that the buyer still has to make. */
  readonly transfer?: TransferDetails | null
  /** The country of the buyer's card or bank account, ISO 3166-1 alpha-2. Absent if the provider does not state it. */
  readonly country?: string | null
  /** The references of the payment's chargebacks. Absent for a provider that sends a separate notice for each chargeback. */
  readonly chargebacks?: readonly string[]
}

export interface ProviderRefund {
  readonly ref: string
  /** `pending`: the bank has not decided yet; ask again later. */
  readonly status: 'pending' | 'refunded' | 'failed'
}

export interface Booked {
  readonly payments: readonly BookedPayment[]
  readonly refunds: readonly BookedRefund[]
  readonly chargebacks: readonly BookedChargeback[]
}

export interface BookedSettlement extends Booked {
  readonly sums: SettlementSums
  /** Null while the settlement is pending. */
  readonly settledAt: Date | null
}

/** `pending` while our operator reviews the chargeback. */
export interface ProviderChargeback {
  readonly ref: string
  readonly paymentRef: string
  /** The disputed amount, which can differ from the paid amount. */
  readonly amount: Money
  readonly reason: string
  /** The reason why the bank returned an undisputed direct debit. Absent for other payments. */
  readonly returnedFor?: FailureReason | null
  readonly status: Exclude<ChargebackStatus, 'requires_amount_review' | 'rejected'>
  /** The deadline for evidence. Null or absent for a provider that states none. */
  readonly respondBy?: Date | null
  /** The wait before the next fetch of a pending chargeback. Absent for a provider that sends a notice of each change. */
  readonly askAgain?: Duration
}
