import type { Duration } from '../../kernel/calendar.ts'
import type { Money } from '../../kernel/money.ts'
import type { ChargebackStatus } from '../chargebacks/rules/state.ts'
import type { BookedChargeback, BookedPayment, BookedRefund } from '../reconciliations/rules/compare.ts'
import type { SettlementSums } from '../reconciliations/rules/settlement.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'
import type { TransferDetails } from './rules/transfer-details.ts'

/** What a payment provider answers. */

/** A provider's data of a mandate that a first payment set up. */
export type ProviderMandate = Omit<Mandate, 'id' | 'reference'> & {
  readonly ref: string
  readonly reference?: string | null
}

/** A provider's answer to a charge. Without a reference, it refused to make a payment at all. */
export type ProviderCharge = Omit<ProviderPayment, 'ref'> & {
  readonly ref: string | null
  /** The reference is of an earlier charge of the order, which took the money; nothing was charged now. */
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

/** A provider's data of a payment. */
export interface ProviderPayment {
  readonly ref: string
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  readonly failureReason: FailureReason | null
  /**
   * The method that was used: a buyer may choose a different method on the provider's page. Absent or null if the
   * provider does not name the method.
   */
  readonly method?: PaymentMethod | null
  /** Set once the payment set one up. */
  readonly mandate: ProviderMandate | null
  /** By when a pending payment settles; a bank transfer that has not arrived by then expires. */
  readonly settlesBefore: Date | null
  /** Of a bank transfer that the buyer still has to make. */
  readonly transfer?: TransferDetails | null
  /** The country of the buyer's card or bank account, ISO 3166-1 alpha-2. Absent where the provider does not say. */
  readonly country?: string | null
  /** The references of its chargebacks. Absent for a provider that has a notice of its own for each. */
  readonly chargebacks?: readonly string[]
}

/** A provider's data of a refund. */
export interface ProviderRefund {
  readonly ref: string
  /** `pending`: the bank has not decided yet; ask again later. */
  readonly status: 'pending' | 'refunded' | 'failed'
}

/** A part of the provider's books. */
export interface Booked {
  readonly payments: readonly BookedPayment[]
  readonly refunds: readonly BookedRefund[]
  readonly chargebacks: readonly BookedChargeback[]
}

/** What the provider paid us at once, and what is in it. */
export interface BookedSettlement extends Booked {
  readonly sums: SettlementSums
  /** Null while it is on its way. */
  readonly settledAt: Date | null
}

/** A provider's data of a chargeback. One that our operator reviews is `pending` there. */
export interface ProviderChargeback {
  readonly ref: string
  readonly paymentRef: string
  /** The disputed amount: not always the amount that was paid. */
  readonly amount: Money
  readonly reason: string
  /** The reason of a direct debit that the bank returned and nobody disputes. Absent for other payments. */
  readonly returnedFor?: FailureReason | null
  readonly status: Exclude<ChargebackStatus, 'requires_amount_review' | 'rejected'>
  /** After how long to ask again about one that is pending. Absent for a provider that sends a notice of each change. */
  readonly askAgain?: Duration
}
