import { divideHalfAwayFromZero, smaller } from '../../../kernel/money.ts'
import { type Entry, entries } from './account.ts'

/**
 * The amount that is returned to the buyer, and the part of our fee on the sale that is returned with it. Minor units.
 */
export interface PostedRefund {
  readonly subtotal: bigint
  readonly total: bigint
  readonly feeReturned: bigint
}

/**
 * Our fee on a sale is returned in proportion to the refunded amount, half away from zero on the total so far: refunds
 * of the whole sale return the whole fee. `before` is the sum of earlier refunds of the sale that were sent or
 * completed.
 */
export function feeOf(
  refund: { subtotal: bigint },
  sale: { subtotal: bigint; fee: bigint },
  before: { subtotal: bigint; feeReturned: bigint },
): bigint {
  const refunded = before.subtotal + refund.subtotal
  const due = divideHalfAwayFromZero(sale.fee * refunded, sale.subtotal) - before.feeReturned
  // If an earlier refund failed, others may have been given its cents, or too few: a refund never adds to the balance,
  // nor to our fee.
  return due > 0n ? smaller(due, refund.subtotal) : 0n
}

/** The amount that a refund takes from the merchant's balance when it is sent. */
export const neededFor = ({ subtotal, feeReturned }: Pick<PostedRefund, 'subtotal' | 'feeReturned'>): bigint =>
  subtotal - feeReturned

/** On its way: the merchant and we have paid our shares; the tax follows with the credit note. */
export const postProcessing = ({ subtotal, feeReturned }: PostedRefund): Entry[] =>
  entries({ merchant_balance: subtotal - feeReturned, platform_fee: feeReturned, refunds: -subtotal })

/** Whether it returns tax alone: that of an invoice that was replaced, which is the buyer's from then on. */
export const isTaxRefund = ({ subtotal }: Pick<PostedRefund, 'subtotal'>): boolean => subtotal === 0n

/** A tax is not payable any more, and is the buyer's: its refund is on its way. */
export const postTaxCorrected = (tax: bigint): Entry[] => entries({ tax_payable: tax, refunds: -tax })

/** The buyer has the money. */
export const postRefunded = ({ subtotal, total }: PostedRefund): Entry[] =>
  isTaxRefund({ subtotal })
    ? entries({ refunds: total, provider_clearing: -total })
    : entries({ refunds: subtotal, tax_payable: total - subtotal, provider_clearing: -total })

/** The bank refused the refund: the entries of `postProcessing` are reversed. */
export const postFailed = (refund: PostedRefund): Entry[] =>
  postProcessing(refund).map(({ account, amount }) => ({ account, amount: -amount }))
