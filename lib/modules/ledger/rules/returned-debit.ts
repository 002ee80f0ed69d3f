import { type Entry, entries } from './account.ts'

/** A sale whose direct debit the bank returned. `fee` is ours on the sale, `bankFee` the bank's. Minor units. */
export interface PostedReturn {
  readonly total: bigint
  readonly fee: bigint
  readonly bankFee: bigint
}

/**
 * The provider takes the money back, and we give our fee back. The invoice stays valid, so its tax stays payable: the
 * merchant carries the tax until the order is paid or written off. The bank's fee stays.
 */
export const postReturned = ({ total, fee, bankFee }: PostedReturn): Entry[] =>
  entries({
    provider_clearing: -total,
    platform_fee: fee,
    provider_fees: -bankFee,
    merchant_balance: total - fee + bankFee,
  })

/** The order is paid again: the postings restore the sale. */
export const postPaidAgain = ({ total, fee }: Pick<PostedReturn, 'total' | 'fee'>): Entry[] =>
  entries({ provider_clearing: total, platform_fee: -fee, merchant_balance: fee - total })

/** The credit note takes the invoice back: its tax is no longer payable, and is returned to the merchant. */
export const postWrittenOff = ({ tax }: { readonly tax: bigint }): Entry[] =>
  entries({ tax_payable: tax, merchant_balance: -tax })
