import { expect, test } from 'vitest'
import { currencies } from '../../../kernel/currencies.ts'
import { builtInRates, convertFor, currenciesFor, rateOf } from './exchange.ts'

test('an amount in euros is converted to the currency of an order, and stays unchanged for an order in euros', () => {
  expect(convertFor(builtInRates.EUR, 1234n)).toBe(1234n)
  expect(convertFor(null, 1234n)).toBe(1234n)
  expect(convertFor(builtInRates.SEK, 1000n)).toBe(11_250n)
})

test.each([
  ['US', 'EUR USD'],
  ['GB', 'EUR GBP'],
  ['CH', 'EUR CHF'],
  ['LI', 'EUR CHF'],
  ['SE', 'EUR SEK'],
  ['NO', 'EUR NOK'],
  ['DK', 'EUR DKK'],
  ['PL', 'EUR PLN'],
  ['CA', 'EUR CAD'],
  // A Czech invoice states VAT in koruna, but buyers cannot pay in koruna.
  ['CZ', 'EUR'],
  ['NL', 'EUR'],
  ['JP', 'EUR'],
  ['', 'EUR'],
])('a buyer in %j may pay in %s', (country, choice) => {
  expect(currenciesFor(country, builtInRates).join(' ')).toBe(choice)
})

test('a currency without an exchange rate is not offered, and a conversion to this currency throws', () => {
  for (const currency of currencies.slice(1)) {
    const rates = { ...builtInRates, [currency]: null }
    expect(() => rateOf(rates, currency)).toThrow(`there is no rate of ${currency}`)
  }
  expect(currenciesFor('US', { ...builtInRates, USD: null })).toEqual(['EUR'])
  expect(rateOf(builtInRates, 'USD').rate).toBe('1.0850')
})
