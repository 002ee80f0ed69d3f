import type { Currency } from '../../../kernel/money.ts'
import type { Reversal } from '../../orders/rules/credit-note.ts'
import type { ChargebackStatus } from './state.ts'

/** A payment that the buyer's bank disputes. Its sums and lines are the part of the order that counts. */
export interface Chargeback extends Reversal {
  readonly id: string
  readonly testmode: boolean
  readonly orderId: string
  readonly customerId: string
  /** Its name at the provider. */
  readonly ref: string
  readonly status: ChargebackStatus
  /** In the words of the buyer's bank: `fraud`, `product_not_received`, `product_unacceptable`, `duplicate`, `subscription_canceled` are common. */
  readonly reason: string
  readonly currency: Currency
  /** What the provider disputes, minor units. */
  readonly amount: bigint
  /** What the provider charges for the dispute, minor units. */
  readonly providerFee: bigint
  readonly creditNoteId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/**
 * What the merchant's settlement is lowered by, minor units: the part that counts with its tax, and the provider's fee. Never more
 * than was sold, whatever the provider takes; nothing while it is held for review, and none when that turned it down.
 */
export const settlementAmount = ({ status, total, providerFee }: Chargeback): bigint =>
  status === 'requires_amount_review' || status === 'rejected' ? 0n : total + providerFee

/** More is disputed than was sold: nothing counts until an operator has decided. */
export const needsReview = (amount: bigint, order: { total: bigint }): boolean => amount > order.total
