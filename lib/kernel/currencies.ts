/** All currencies in this file have two decimals (ISO 4217). */

interface Facts {
  /** The exchange rate in test mode, in units per euro, fixed on 2026-11-20. */
  readonly testRate: string
  /** The countries and territories with this currency. Empty for EUR, which buyers in every country can use. */
  readonly countries: string
}

/** Currencies that buyers can pay in. The European Central Bank must publish the exchange rate of each. */
const offered = {
  EUR: { testRate: '1', countries: '' },
  USD: { testRate: '1.0850', countries: 'US AS GU MP PR UM VI' },
  GBP: { testRate: '0.8650', countries: 'GB GG IM JE' },
  CHF: { testRate: '0.9350', countries: 'CH LI' },
  SEK: { testRate: '11.2500', countries: 'SE' },
  NOK: { testRate: '11.7500', countries: 'NO BV SJ' },
  DKK: { testRate: '7.4600', countries: 'DK FO GL' },
  PLN: { testRate: '4.2700', countries: 'PL' },
  CAD: { testRate: '1.5100', countries: 'CA' },
} as const satisfies Record<string, Facts>

/** Currencies of other EU member states. Invoices may have to state VAT in these currencies, but buyers cannot pay in them. */
const statedOnly = {
  CZK: { testRate: '25.2000', countries: 'CZ' },
  HUF: { testRate: '402.0000', countries: 'HU' },
  RON: { testRate: '4.9800', countries: 'RO' },
} as const satisfies Record<string, Facts>

export type Currency = keyof typeof offered
export type StatedCurrency = Currency | keyof typeof statedOnly

export const currencies = Object.keys(offered) as [Currency, ...Currency[]]
const facts: Readonly<Record<StatedCurrency, Facts>> = { ...offered, ...statedOnly }
export const statedCurrencies = Object.keys(facts) as StatedCurrency[]

export const isCurrency = (code: string): code is Currency => Object.hasOwn(offered, code)

export const testRates = Object.fromEntries(
  Object.entries(facts).map(([currency, { testRate }]) => [currency, testRate]),
) as Readonly<Record<StatedCurrency, string>>

const byCountry = new Map(
  statedCurrencies.flatMap((currency) =>
    facts[currency].countries
      .split(' ')
      .filter((country) => country !== '')
      .map((country) => [country, currency] as const),
  ),
)

/** The currency of a country (ISO 3166-1 alpha-2). Null if the country uses the euro or a currency that is not listed here. */
export const ownCurrency = (country: string): StatedCurrency | null => byCountry.get(country) ?? null
