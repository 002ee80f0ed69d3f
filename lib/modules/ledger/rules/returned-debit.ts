import { type Entry, entries } from './account.ts'

/** Amounts are in minor units. `fee` is the service's fee on the sale. `bankFee` is the fee of the bank. */
export interface PostedReturn {
  readonly total: bigint
  readonly fee: bigint
  readonly bankFee: bigint
}

/**
 * The provider takes the money back, and the service returns its fee to the merchant. The invoice and its tax stay valid, so the merchant is debited the tax
 * until the order is paid or written off. The merchant also pays the bank's fee.
 */
export const postReturned = ({ total, fee, bankFee }: PostedReturn): Entry[] =>
  entries({
    provider_clearing: -total,
    platform_fee: fee,
    provider_fees: -bankFee,
    merchant_balance: total - fee + bankFee,
  })

export const postPaidAgain = ({ total, fee }: Pick<PostedReturn, 'total' | 'fee'>): Entry[] =>
  entries({ provider_clearing: total, platform_fee: -fee, merchant_balance: fee - total })

/** The credit note reverses the invoice, so its tax is no longer payable and is credited to the merchant. */
export const postWrittenOff = ({ tax }: { readonly tax: bigint }): Entry[] =>
  entries({ tax_payable: tax, merchant_balance: -tax })
