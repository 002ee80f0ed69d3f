import { type Currency, currencies, ownCurrency, statedCurrencies, testRates } from '../../../kernel/currencies.ts'
import { fromEuros } from '../../../kernel/money.ts'

export interface ExchangeRate {
  readonly rate: string
  /** `ecb` is a reference rate of the European Central Bank. `built_in` is a fixed rate of test mode. */
  readonly source: 'ecb' | 'built_in'
  /** The day of the reference rate, such as `2026-11-20`; null for a built-in rate. */
  readonly on: string | null
}

/**
 * The exchange rate of each currency; null for a currency without a current rate. Buyers cannot pay in a currency
 * without a rate.
 */
export type ExchangeRates = Readonly<Record<Currency, ExchangeRate | null>>

export const builtInRates = Object.fromEntries(
  statedCurrencies.map((currency) => [currency, { rate: testRates[currency], source: 'built_in', on: null }]),
) as Readonly<Record<(typeof statedCurrencies)[number], ExchangeRate>>

export function rateOf(rates: ExchangeRates, currency: Currency): ExchangeRate {
  const rate = rates[currency]
  if (rate === null) throw new Error(`there is no rate of ${currency}`)
  return rate
}

/** Converts EUR cents to minor units of the currency. `exchangeRate` is null for an order in EUR. */
export const convertFor = (exchangeRate: ExchangeRate | null, euroMinor: bigint): bigint =>
  exchangeRate === null ? euroMinor : fromEuros(euroMinor, exchangeRate.rate)

/** Returns EUR, and the currency of the buyer's country if this currency has an exchange rate. */
export function currenciesFor(buyerCountry: string, rates: ExchangeRates): readonly Currency[] {
  const own = currencies.find((currency) => currency === ownCurrency(buyerCountry))
  return own && rates[own] !== null ? ['EUR', own] : ['EUR']
}
