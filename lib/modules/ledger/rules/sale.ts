import { divideHalfAwayFromZero, type Fraction, smaller } from '../../../kernel/money.ts'
import { type Entry, entries } from './account.ts'

/**
 * A paid sale: the money is at the provider. The tax belongs to the state, the fee to us, the rest to the merchant. The
 * fee is a part of the net plus a fixed amount, half away from zero, and never more than the net.
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
