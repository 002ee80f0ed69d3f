import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { ChargebackStatus } from './state.ts'

/** A payment that the buyer's bank disputes. Amounts are in minor units. The lines are the disputed part of the order. */
export interface Chargeback extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  readonly ref: string
  readonly status: ChargebackStatus
  /** `reason` comes from the buyer's bank, for example `fraud`, `product_not_received`, `duplicate`, or `subscription_canceled`. */
  readonly reason: string
  readonly currency: Currency
  readonly amount: bigint
  readonly providerFee: bigint
  readonly creditNoteId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/**
 * Returns the amount, in minor units, by which the chargeback lowers the merchant's settlement: the disputed part of the order with tax, plus the
 * provider's fee. The amount is 0 during an amount review and after a rejection.
 */
export const settlementAmount = ({
  status,
  total,
  providerFee,
}: Pick<Chargeback, 'status' | 'total' | 'providerFee'>): bigint =>
  status === 'requires_amount_review' || status === 'rejected' ? 0n : total + providerFee

/** Whether an operator must review the disputed amount. Until the decision, no part of the order counts as disputed. */
export const needsReview = (amount: bigint, order: { total: bigint }): boolean => amount > order.total
