import { type Entry, entries } from './account.ts'

/** Amounts are in minor units. `total` is the allocated part of the order with tax. `tax` is the tax in `total`. */
export interface PostedChargeback {
  readonly total: bigint
  readonly tax: bigint
  readonly providerFee: bigint
}

/** The merchant is debited the allocated amount and the provider's fee, because the provider withholds both. */
export const postReceived = ({ total, providerFee }: Pick<PostedChargeback, 'total' | 'providerFee'>): Entry[] =>
  entries({ merchant_balance: total + providerFee, chargebacks: -total, provider_fees: -providerFee })

export const postAllocated = ({ total }: Pick<PostedChargeback, 'total'>): Entry[] =>
  postReceived({ total, providerFee: 0n })

/** Posts a lost dispute: the provider keeps the money. Because of the credit note, the tax is no longer payable, so it is credited to the merchant. */
export const postLost = ({ total, tax }: Pick<PostedChargeback, 'total' | 'tax'>): Entry[] =>
  entries({ chargebacks: total, provider_clearing: -total, tax_payable: tax, merchant_balance: -tax })

/** Posts a won dispute: the provider returns the money but keeps its fee. */
export const postWon = ({ total }: Pick<PostedChargeback, 'total'>): Entry[] =>
  entries({ chargebacks: total, merchant_balance: -total })

/** Posts a dispute that an operator accepts after an amount review: the entries of `postReceived` and `postLost` together. */
export const postAccepted = ({ total, tax, providerFee }: PostedChargeback): Entry[] =>
  entries({
    provider_clearing: -total,
    provider_fees: -providerFee,
    merchant_balance: total - tax + providerFee,
    tax_payable: tax,
  })
