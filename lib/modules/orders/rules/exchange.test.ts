import { expect, test } from 'vitest'
import { convert, currenciesFor, rateOf, testModeRates } from './exchange.ts'

test.each([
  [999n, '1.0850', 1084n],
  [1000n, '1.0850', 1085n],
  [-999n, '1.0850', -1084n],
  [10n, '1.05', 11n],
  [-10n, '1.05', -11n],
  [0n, '1.0850', 0n],
  [99999999n, '1', 99999999n],
])('%s cents at %s are %s', (euro, rate, minor) => {
  expect(convert(euro, rate)).toBe(minor)
})

test('a euro is a euro', () => {
  expect(convert(1234n, testModeRates.EUR)).toBe(1234n)
})

test('only a buyer in the US may choose dollars, and only while they have a rate', () => {
  expect(currenciesFor('US', testModeRates)).toEqual(['EUR', 'USD'])
  expect(currenciesFor('US', { EUR: '1', USD: null })).toEqual(['EUR'])
  for (const country of ['NL', 'CA', 'GB', 'UM', 'PR']) expect(currenciesFor(country, testModeRates)).toEqual(['EUR'])
})

test('nothing has a price in a currency without a rate', () => {
  expect(rateOf({ EUR: '1', USD: '1.1' }, 'USD')).toBe('1.1')
  expect(() => rateOf({ EUR: '1', USD: null }, 'USD')).toThrow('there is no rate of USD')
})
