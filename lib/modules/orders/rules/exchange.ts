import { type Currency, currencies, ownCurrency, statedCurrencies, testRates } from '../../../kernel/currencies.ts'
import { fromEuros } from '../../../kernel/money.ts'

/** Units of a currency for one euro, with the source of the rate. */
export interface ExchangeRate {
  /** A decimal. */
  readonly rate: string
  /** `ecb`: a reference rate of the European Central Bank; `built_in`: the table of test mode. */
  readonly source: 'ecb' | 'built_in'
  /** The day of publication, such as `2026-11-20`. Null for a built-in rate. */
  readonly on: string | null
}

/** Rates by currency. Null: buyers cannot pay in the currency now. */
export type ExchangeRates = Readonly<Record<Currency, ExchangeRate | null>>

/** The rates of test mode, which never change. */
export const builtInRates = Object.fromEntries(
  statedCurrencies.map((currency) => [currency, { rate: testRates[currency], source: 'built_in', on: null }]),
) as Readonly<Record<(typeof statedCurrencies)[number], ExchangeRate>>

/** The rate of an offered currency. Throws if the currency has no rate. */
export function rateOf(rates: ExchangeRates, currency: Currency): ExchangeRate {
  const rate = rates[currency]
  if (rate === null) throw new Error(`there is no rate of ${currency}`)
  return rate
}

/** Converts EUR cents to minor units of an order's currency. The rate is null for an order in EUR. */
export const convertFor = (exchangeRate: ExchangeRate | null, euroMinor: bigint): bigint =>
  exchangeRate === null ? euroMinor : fromEuros(euroMinor, exchangeRate.rate)

/**
 * The currencies that a buyer may pay in, the proposed currency first: EUR, the currency of catalog prices, then the currency of
 * the buyer's country if it has a rate.
 */
export function currenciesFor(buyerCountry: string, rates: ExchangeRates): readonly Currency[] {
  const own = currencies.find((currency) => currency === ownCurrency(buyerCountry))
  return own && rates[own] !== null ? ['EUR', own] : ['EUR']
}
