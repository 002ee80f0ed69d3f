import { expect, test } from 'vitest'
import { countries } from './countries.ts'
import { currencies, isCurrency, ownCurrency, statedCurrencies, testRates } from './currencies.ts'
import { fraction } from './money.ts'

test('buyers may pay in nine currencies, with EUR listed first', () => {
  expect(currencies).toEqual(['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CAD'])
  for (const currency of currencies) expect(isCurrency(currency)).toBe(true)
})

test.each(['', 'eur', 'EUR ', 'JPY', 'CZK', '__proto__', 'toString'])(
  '%j is not a currency that buyers may pay in',
  (code) => {
    expect(isCurrency(code)).toBe(false)
  },
)

test('each currency has two decimals and an exchange rate for test mode', () => {
  for (const currency of statedCurrencies) {
    expect(fraction(testRates[currency]).numerator).toBeGreaterThan(0n)
    // Node.js formats HUF without decimals, although ISO 4217 defines two.
    if (currency === 'HUF') continue
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    expect(maximumFractionDigits, currency).toBe(2)
  }
  expect(testRates).toMatchObject({ EUR: '1', USD: '1.0850' })
})

test.each([
  ['US', 'USD'],
  ['PR', 'USD'],
  ['GB', 'GBP'],
  ['IM', 'GBP'],
  ['CH', 'CHF'],
  ['LI', 'CHF'],
  ['SE', 'SEK'],
  ['NO', 'NOK'],
  ['SJ', 'NOK'],
  ['DK', 'DKK'],
  ['GL', 'DKK'],
  ['PL', 'PLN'],
  ['CA', 'CAD'],
  ['HU', 'HUF'],
  ['NL', null],
  ['JP', null],
  ['', null],
])('the currency of the country %j is %s', (country, currency) => {
  expect(ownCurrency(country)).toBe(currency)
})

test('exactly 25 countries have a listed currency other than the euro', () => {
  const own = countries.filter((country) => ownCurrency(country) !== null)
  expect(own).toHaveLength(25)
})
