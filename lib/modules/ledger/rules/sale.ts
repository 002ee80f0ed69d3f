import { divideHalfAwayFromZero, type Fraction, smaller } from '../../../kernel/money.ts'
import { type Entry, entries } from './account.ts'

/**
 * The provider holds the payment. The tax is owed to the state. The net less the fee is owed to the merchant. The fee is a part of the net plus a fixed
 * amount, rounded half away from zero, and at most the net.
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
