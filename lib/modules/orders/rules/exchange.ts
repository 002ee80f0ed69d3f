import { type Currency, divideHalfAwayFromZero, fraction } from '../../../kernel/money.ts'

/**
 * Units of each currency for one euro. The built-in table: a figure chosen on 2026-11-20 for installations without a
 * source of reference rates, not a market rate of that day.
 */
export const fxRates: Readonly<Record<Currency, string>> = { EUR: '1', USD: '1.0850' }

/** EUR cents at a rate, in the other currency's minor units (two decimals, as all have). A half goes away from zero. */
export function convert(euroMinor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(euroMinor * numerator, denominator)
}

/** The currencies that a buyer may pay in, the proposed one first. */
export function currenciesFor(buyerCountry: string): readonly Currency[] {
  return buyerCountry === 'US' ? ['EUR', 'USD'] : ['EUR']
}
