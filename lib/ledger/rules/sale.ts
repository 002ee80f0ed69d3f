import { divideHalfAwayFromZero, type Fraction } from '../../kernel/money.ts'

type Account =
  | 'provider_clearing'
  | 'merchant_balance'
  | 'tax_payable'
  | 'platform_fee'
  | 'refunds'
  | 'chargebacks'
  | 'provider_fees'
  | 'payouts'

/** One side of a booking. Positive: we hold or are owed more (debit); negative: we owe more (credit). */
export interface Entry {
  readonly account: Account
  /** Minor units. */
  readonly amount: bigint
}

/**
 * A sale that was paid: the money is at the provider; of it the tax is the state's, the fee ours, the rest the merchant's.
 * The fee is a part of the net plus a fixed amount, half away from zero, and never more than the net. Sums to zero.
 */
export function bookSale(sale: { total: bigint; subtotal: bigint; fee: { part: Fraction; fixed: bigint } }): Entry[] {
  const { total, subtotal, fee } = sale
  const wanted = divideHalfAwayFromZero(subtotal * fee.part.numerator, fee.part.denominator) + fee.fixed
  // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
  const taken = wanted < subtotal ? wanted : subtotal
  const entries: Entry[] = [
    { account: 'provider_clearing', amount: total },
    { account: 'tax_payable', amount: subtotal - total },
    { account: 'platform_fee', amount: -taken },
    { account: 'merchant_balance', amount: taken - subtotal },
  ]
  return entries.filter((entry) => entry.amount !== 0n)
}
