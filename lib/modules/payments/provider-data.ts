import type { Duration } from '../../kernel/calendar.ts'
import type { Money } from '../../kernel/money.ts'
import type { ChargebackStatus } from '../chargebacks/rules/state.ts'
import type { BookedChargeback, BookedPayment, BookedRefund } from '../reconciliations/rules/compare.ts'
import type { SettlementSums } from '../reconciliations/rules/settlement.ts'
import type { Mandate } from '../subscriptions/rules/index.ts'
import type { FailureReason } from './rules/failure.ts'
import type { PaymentMethod } from './rules/method.ts'
import type { TransferDetails } from './rules/transfer-details.ts'

/** The provider of payments whose outcome a test helper decides. No external provider has these payments. */
export const simulatedProvider = 'simulated'

export type ProviderMandate = Omit<Mandate, 'id' | 'reference'> & {
  readonly ref: string
  readonly reference?: string | null
}

/** `ref` is null if the provider refused to create a payment. */
export type ProviderCharge = Omit<ProviderPayment, 'ref'> & {
  readonly ref: string | null
  /** `isEarlier` is set if an earlier charge of the order (`ref`) is already paid. The call then charged nothing. */
  readonly isEarlier?: true
}

/** The result if a dispute ended the mandate before the request to the provider. */
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
  /**
   * The payment method as the provider states it, which can differ from the chosen method if the buyer changes it on
   * the provider's page. Absent or null if the provider does not state the method.
   */
  readonly method?: PaymentMethod | null
  readonly mandate: ProviderMandate | null
  /** `settlesBefore` is the time by which a pending payment settles. A bank transfer expires at this time. */
  readonly settlesBefore: Date | null
  /** The bank details of a transfer that the buyer has not made yet. */
  readonly transfer?: TransferDetails | null
  /** The country of the buyer's card or bank account, ISO 3166-1 alpha-2. Absent if the provider does not state it. */
  readonly country?: string | null
  /** `chargebacks` has the references of the payment's chargebacks. It is absent for a provider that sends a separate notice for each chargeback. */
  readonly chargebacks?: readonly string[]
}

export interface ProviderRefund {
  readonly ref: string
  /** `pending`: the bank has not decided, so the state must be fetched again later. */
  readonly status: 'pending' | 'refunded' | 'failed'
}

export interface Booked {
  readonly payments: readonly BookedPayment[]
  readonly refunds: readonly BookedRefund[]
  readonly chargebacks: readonly BookedChargeback[]
}

export interface BookedSettlement extends Booked {
  readonly sums: SettlementSums
  readonly settledAt: Date | null
}

/** The status is `pending` while an operator of this installation reviews the chargeback. */
export interface ProviderChargeback {
  readonly ref: string
  readonly paymentRef: string
  /** The disputed amount, which can differ from the paid amount. */
  readonly amount: Money
  readonly reason: string
  /** `returnedFor` is the reason why the bank returned an undisputed direct debit. It is absent for other payments. */
  readonly returnedFor?: FailureReason | null
  readonly status: Exclude<ChargebackStatus, 'requires_amount_review' | 'rejected'>
  readonly respondBy?: Date | null
  /** `askAgain` is the wait before the next fetch of a pending chargeback. It is absent for a provider that sends a notice of each change. */
  readonly askAgain?: Duration
}
