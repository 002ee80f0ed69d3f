import { type Currency, divideHalfAwayFromZero, fraction } from '../../../kernel/money.ts'

/** Units of each currency for one euro, as decimals; null: nobody can pay in it now. */
export type ExchangeRates = Readonly<Record<Currency, string | null>>

/** The rates of test mode: a figure chosen on 2026-11-20, not a market rate of that day. */
export const testModeRates = { EUR: '1', USD: '1.0850' } as const satisfies ExchangeRates

/** The rate of a currency that is on offer. Throws if it is not: then nothing may be priced in it. */
export function rateOf(rates: ExchangeRates, currency: Currency): string {
  const rate = rates[currency]
  if (rate === null) throw new Error(`there is no rate of ${currency}`)
  return rate
}

/** EUR cents at a rate, in the other currency's minor units (two decimals, as all have). A half goes away from zero. */
export function convert(euroMinor: bigint, rate: string): bigint {
  const { numerator, denominator } = fraction(rate)
  return divideHalfAwayFromZero(euroMinor * numerator, denominator)
}

/** The currencies that a buyer may pay in, the proposed one first: those of the country that have a rate. */
export function currenciesFor(buyerCountry: string, rates: ExchangeRates): readonly Currency[] {
  return buyerCountry === 'US' && rates.USD !== null ? ['EUR', 'USD'] : ['EUR']
}
