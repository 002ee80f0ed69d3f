import { type Entry, entries } from './account.ts'

/**
 * A disputed payment: the allocated part of the order with its tax, the tax in it, and the provider's fee. Minor units.
 */
export interface PostedChargeback {
  readonly total: bigint
  readonly tax: bigint
  readonly providerFee: bigint
}

/**
 * The merchant's settlement is lowered by the allocated amount and the provider's fee; the provider withholds the
 * money.
 */
export const postReceived = ({ total, providerFee }: Pick<PostedChargeback, 'total' | 'providerFee'>): Entry[] =>
  entries({ merchant_balance: total + providerFee, chargebacks: -total, provider_fees: -providerFee })

/** A further part of the order is allocated. */
export const postAllocated = ({ total }: Pick<PostedChargeback, 'total'>): Entry[] =>
  postReceived({ total, providerFee: 0n })

/**
 * The money stays gone. With the credit note its tax is no longer payable, and is returned to the merchant, who
 * has paid it.
 */
export const postLost = ({ total, tax }: Pick<PostedChargeback, 'total' | 'tax'>): Entry[] =>
  entries({ chargebacks: total, provider_clearing: -total, tax_payable: tax, merchant_balance: -tax })

/** The money is back; the provider keeps its fee. */
export const postWon = ({ total }: Pick<PostedChargeback, 'total'>): Entry[] =>
  entries({ chargebacks: total, merchant_balance: -total })

/** Under review until now: received and lost in one posting. */
export const postAccepted = ({ total, tax, providerFee }: PostedChargeback): Entry[] =>
  entries({
    provider_clearing: -total,
    provider_fees: -providerFee,
    merchant_balance: total - tax + providerFee,
    tax_payable: tax,
  })
