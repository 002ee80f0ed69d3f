import { type Currency, currencies, ownCurrency, statedCurrencies, testRates } from '../../../kernel/currencies.ts'
import { fromEuros } from '../../../kernel/money.ts'

/** Units of a currency for one euro, and whose figure that is. */
export interface ExchangeRate {
  /** A decimal. */
  readonly rate: string
  /** `ecb`: a reference rate of the European Central Bank; `built_in`: the table of test mode. */
  readonly source: 'ecb' | 'built_in'
  /** The day of its publication, such as `2026-11-20`; null for a built-in one. */
  readonly on: string | null
}

/** By currency; null: nobody can pay in it now. */
export type ExchangeRates = Readonly<Record<Currency, ExchangeRate | null>>

/** The rates of test mode, which never change. */
export const builtInRates = Object.fromEntries(
  statedCurrencies.map((currency) => [currency, { rate: testRates[currency], source: 'built_in', on: null }]),
) as Readonly<Record<(typeof statedCurrencies)[number], ExchangeRate>>

/** The rate of a currency that is on offer. Throws if it is not: then nothing may be priced in it. */
export function rateOf(rates: ExchangeRates, currency: Currency): ExchangeRate {
  const rate = rates[currency]
  if (rate === null) throw new Error(`there is no rate of ${currency}`)
  return rate
}

/** EUR cents in the currency of an order with this rate; an order in EUR has none. */
export const convertFor = (exchangeRate: ExchangeRate | null, euroMinor: bigint): bigint =>
  exchangeRate === null ? euroMinor : fromEuros(euroMinor, exchangeRate.rate)

/**
 * The currencies that a buyer may pay in, the proposed one first: EUR, in which the shop states its prices, and the
 * money of the buyer's country while it has a rate.
 */
export function currenciesFor(buyerCountry: string, rates: ExchangeRates): readonly Currency[] {
  const own = currencies.find((currency) => currency === ownCurrency(buyerCountry))
  return own && rates[own] !== null ? ['EUR', own] : ['EUR']
}
