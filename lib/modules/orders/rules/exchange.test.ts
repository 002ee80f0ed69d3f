import { expect, test } from 'vitest'
import { convert, currenciesFor, fxRates } from './exchange.ts'

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
  expect(convert(1234n, fxRates.EUR)).toBe(1234n)
})

test('only a buyer in the US may choose dollars', () => {
  expect(currenciesFor('US')).toEqual(['EUR', 'USD'])
  for (const country of ['NL', 'CA', 'GB', 'UM', 'PR']) expect(currenciesFor(country)).toEqual(['EUR'])
})
