import { type Currency, currencies, ownCurrency, statedCurrencies, testRates } from '../../../kernel/currencies.ts'
import { fromEuros } from '../../../kernel/money.ts'

export interface ExchangeRate {
  readonly rate: string
  /** `ecb`: a reference rate of the European Central Bank; `built_in`: the table of test mode. */
  readonly source: 'ecb' | 'built_in'
  /** Such as `2026-11-20`. Null for a built-in rate. */
  readonly on: string | null
}

/** Null: buyers cannot pay in the currency now. */
export type ExchangeRates = Readonly<Record<Currency, ExchangeRate | null>>

export const builtInRates = Object.fromEntries(
  statedCurrencies.map((currency) => [currency, { rate: testRates[currency], source: 'built_in', on: null }]),
) as Readonly<Record<(typeof statedCurrencies)[number], ExchangeRate>>

/** Throws if the currency has no rate. */
export function rateOf(rates: ExchangeRates, currency: Currency): ExchangeRate {
  const rate = rates[currency]
  if (rate === null) throw new Error(`there is no rate of ${currency}`)
  return rate
}

/** From EUR cents to minor units. The rate is null for an order in EUR. */
export const convertFor = (exchangeRate: ExchangeRate | null, euroMinor: bigint): bigint =>
  exchangeRate === null ? euroMinor : fromEuros(euroMinor, exchangeRate.rate)

/** EUR, the currency of catalog prices, then the currency of the buyer's country if it has a rate. */
export function currenciesFor(buyerCountry: string, rates: ExchangeRates): readonly Currency[] {
  const own = currencies.find((currency) => currency === ownCurrency(buyerCountry))
  return own && rates[own] !== null ? ['EUR', own] : ['EUR']
}
