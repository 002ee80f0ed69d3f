import { expect, test } from 'vitest'
import { countries } from './countries.ts'
import { currencies, fromEuros, isCurrency, ownCurrency, statedCurrencies, testRates, toEuros } from './currencies.ts'
import { fraction } from './money.ts'

test('buyers may pay in nine currencies, euros first', () => {
  expect(currencies).toEqual(['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CAD'])
  for (const currency of currencies) expect(isCurrency(currency)).toBe(true)
})

test.each(['', 'eur', 'EUR ', 'JPY', 'CZK', '__proto__', 'toString'])('%j is none of them', (code) => {
  expect(isCurrency(code)).toBe(false)
})

test('each has two decimals, and a rate of test mode', () => {
  for (const currency of statedCurrencies) {
    expect(fraction(testRates[currency]).numerator).toBeGreaterThan(0n)
    // Node's data has HUF without decimals; ISO 4217 has two.
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
])('the money of %j is %s', (country, currency) => {
  expect(ownCurrency(country)).toBe(currency)
})

test('the 25 countries of the tables exist, and none has two moneys', () => {
  const own = countries.filter((country) => ownCurrency(country) !== null)
  expect(own).toHaveLength(25)
})

test.each([
  [999n, '1.0850', 1084n],
  [1000n, '1.0850', 1085n],
  [-999n, '1.0850', -1084n],
  [10n, '1.05', 11n],
  [-10n, '1.05', -11n],
  [0n, '1.0850', 0n],
  [99999999n, '1', 99999999n],
  [999n, testRates.GBP, 864n],
  [999n, testRates.CHF, 934n],
  [999n, testRates.SEK, 11239n],
  [999n, testRates.NOK, 11738n],
  [999n, testRates.DKK, 7453n],
  [999n, testRates.PLN, 4266n],
  [999n, testRates.CAD, 1508n],
  // Exactly half a cent: 10 cents at 4.25 are 42.5.
  [10n, '4.25', 43n],
  [-10n, '4.25', -43n],
])('%s cents at %s are %s', (euro, rate, minor) => {
  expect(fromEuros(euro, rate)).toBe(minor)
})

test.each([
  [1084n, '1.0850', 999n],
  [1n, '2', 1n],
  [-1n, '2', -1n],
  [1n, '11.2500', 0n],
  [0n, '0.8650', 0n],
])('%s of a currency at %s are %s cents', (minor, rate, euro) => {
  expect(toEuros(minor, rate)).toBe(euro)
})
