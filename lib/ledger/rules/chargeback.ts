import { type Entry, entries } from './account.ts'

/** A disputed payment: what the provider takes, its own fee, and the tax in the part that counts. Minor units. */
export interface BookedChargeback {
  readonly amount: bigint
  readonly providerFee: bigint
  readonly tax: bigint
}

/** The merchant's settlement is lowered by what is disputed and the provider's fee; the provider withholds the money. */
export const bookReceived = ({ amount, providerFee }: Pick<BookedChargeback, 'amount' | 'providerFee'>): Entry[] =>
  entries({ merchant_balance: amount + providerFee, chargebacks: -amount, provider_fees: -providerFee })

/** It stays gone. With the credit note its tax is no longer payable, and goes back to the merchant, who has paid it. */
export const bookLost = ({ amount, tax }: Pick<BookedChargeback, 'amount' | 'tax'>): Entry[] =>
  entries({ chargebacks: amount, provider_clearing: -amount, tax_payable: tax, merchant_balance: -tax })

/** The money is there again; the provider keeps its fee. */
export const bookWon = ({ amount }: Pick<BookedChargeback, 'amount'>): Entry[] =>
  entries({ chargebacks: amount, merchant_balance: -amount })

/** Held until now: received and lost in one. */
export const bookAccepted = ({ amount, providerFee, tax }: BookedChargeback): Entry[] =>
  entries({
    provider_clearing: -amount,
    provider_fees: -providerFee,
    merchant_balance: amount - tax + providerFee,
    tax_payable: tax,
  })
