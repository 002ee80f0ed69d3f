import { divideHalfAwayFromZero, type Fraction, smaller } from '../../../kernel/money.ts'
import { type Entry, entries } from './account.ts'

/**
 * A sale that was paid: the money is at the provider; of it the tax is the state's, the fee ours, the rest the merchant's.
 * The fee is a part of the net plus a fixed amount, half away from zero, and never more than the net.
 */
export function postSale(sale: { total: bigint; subtotal: bigint; fee: { part: Fraction; fixed: bigint } }): Entry[] {
  const { total, subtotal, fee } = sale
  const wanted = divideHalfAwayFromZero(subtotal * fee.part.numerator, fee.part.denominator) + fee.fixed
  const taken = smaller(wanted, subtotal)
  return entries({
    provider_clearing: total,
    tax_payable: subtotal - total,
    platform_fee: -taken,
    merchant_balance: taken - subtotal,
  })
}
