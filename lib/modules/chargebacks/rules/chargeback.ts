import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { ChargebackStatus } from './state.ts'

/** A payment that the buyer's bank disputes. Its sums and lines are the part of the order that is allocated to it. */
export interface Chargeback extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  /** Its reference at the provider. */
  readonly ref: string
  readonly status: ChargebackStatus
  /**
   * As the buyer's bank calls it: `fraud`, `product_not_received`, `product_unacceptable`, `duplicate`,
   * `subscription_canceled` are common.
   */
  readonly reason: string
  readonly currency: Currency
  /** The disputed amount, in minor units. */
  readonly amount: bigint
  /** The provider's fee for the dispute, in minor units. */
  readonly providerFee: bigint
  readonly creditNoteId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/**
 * The amount by which the merchant's settlement is lowered, in minor units: the allocated part with its tax, and the
 * provider's fee. Never more than was sold, whatever the provider takes; nothing during a review, and nothing after a
 * rejection.
 */
export const settlementAmount = ({
  status,
  total,
  providerFee,
}: Pick<Chargeback, 'status' | 'total' | 'providerFee'>): bigint =>
  status === 'requires_amount_review' || status === 'rejected' ? 0n : total + providerFee

/** More is disputed than was sold: nothing is allocated until an operator has decided. */
export const needsReview = (amount: bigint, order: { total: bigint }): boolean => amount > order.total
