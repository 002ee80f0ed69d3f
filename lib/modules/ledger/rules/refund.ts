import { divideHalfAwayFromZero, smaller } from '../../../kernel/money.ts'
import { type Entry, entries } from './account.ts'

/** Amounts are in minor units. `feeReturned` is the part of the service's fee on the sale that is returned with the refund. */
export interface PostedRefund {
  readonly subtotal: bigint
  readonly total: bigint
  readonly feeReturned: bigint
}

/**
 * Returns the part of the service's fee that this refund returns, in minor units. Together, all refunds so far return a proportional part of the fee, rounded
 * half away from zero. Refunds of the whole sale therefore return the whole fee. `before` sums the earlier refunds of the sale that were sent or completed.
 */
export function feeOf(
  refund: { subtotal: bigint },
  sale: { subtotal: bigint; fee: bigint },
  before: { subtotal: bigint; feeReturned: bigint },
): bigint {
  const refunded = before.subtotal + refund.subtotal
  const due = divideHalfAwayFromZero(sale.fee * refunded, sale.subtotal) - before.feeReturned
  // If a refund fails, later refunds may have returned too much or too little of the fee. The limits 0 and `refund.subtotal` ensure that this refund still
  // increases neither the service's fee nor the merchant's balance.
  return due > 0n ? smaller(due, refund.subtotal) : 0n
}

/** Returns the amount in minor units that a sent refund debits from the merchant's balance. */
export const neededFor = ({ subtotal, feeReturned }: Pick<PostedRefund, 'subtotal' | 'feeReturned'>): bigint =>
  subtotal - feeReturned

/** Posts a refund that is sent: the merchant and the service each pay a share of the net. The tax is posted later, with the credit note. */
export const postProcessing = ({ subtotal, feeReturned }: PostedRefund): Entry[] =>
  entries({ merchant_balance: subtotal - feeReturned, platform_fee: feeReturned, refunds: -subtotal })

/** Whether the refund returns only tax. Such a refund follows the replacement of an invoice by an invoice without tax. */
export const isTaxRefund = ({ subtotal }: Pick<PostedRefund, 'subtotal'>): boolean => subtotal === 0n

/** Posts the replacement of an invoice by an invoice without tax: the tax is no longer payable, and its refund is in progress. */
export const postTaxCorrected = (tax: bigint): Entry[] => entries({ tax_payable: tax, refunds: -tax })

export const postRefunded = ({ subtotal, total }: PostedRefund): Entry[] =>
  isTaxRefund({ subtotal })
    ? entries({ refunds: total, provider_clearing: -total })
    : entries({ refunds: subtotal, tax_payable: total - subtotal, provider_clearing: -total })

export const postFailed = (refund: PostedRefund): Entry[] =>
  postProcessing(refund).map(({ account, amount }) => ({ account, amount: -amount }))
