import type { StatedCurrency } from '../../../kernel/currencies.ts'
import { divideHalfAwayFromZero, formatDecimal, fraction, sum } from '../../../kernel/money.ts'
import type { Order } from '../../orders/rules/order.ts'

export interface VatStated {
  readonly currency: StatedCurrency
  readonly value: string
  /**
   * The rates of the document's currency and of `currency`, in units per euro as decimal strings. The list omits EUR.
   */
  readonly rates: readonly { readonly currency: StatedCurrency; readonly rate: string }[]
  /** `on` is the day on which the European Central Bank published the rates; null for built-in rates. */
  readonly on: string | null
}

export function vatStatedOf({ currency, exchangeRate, taxSummary, vatStatedIn }: Order): VatStated[] {
  const vat = sum(taxSummary.map(({ amount }) => amount))
  const own = fraction(exchangeRate?.rate ?? '1')
  return (vatStatedIn ?? []).map((stated) => {
    const other = fraction(stated.rate)
    const minor = divideHalfAwayFromZero(vat * other.numerator * own.denominator, own.numerator * other.denominator)
    const rates = [...(exchangeRate ? [{ currency, rate: exchangeRate.rate }] : []), stated]
    return {
      currency: stated.currency,
      value: formatDecimal(minor, 2),
      rates: rates.filter((each) => each.currency !== 'EUR').map(({ currency, rate }) => ({ currency, rate })),
      on: stated.on ?? exchangeRate?.on ?? null,
    }
  })
}
