import { describe, expect, it } from 'vitest'
import { countryByCheckDigits, hasWrongCheckDigits, isNorwegianNumber } from './vat-check-digits.ts'

describe('the check digits of VAT IDs', () => {
  it.each([
    ['NL000099998B57', 'NL'],
    ['EL094259216', 'GR'],
    ['XI980780684', 'GB'],
    ['NL000099998B58', null],
    ['DE136695977', null],
    ['12/345/67890', null],
  ])('countryByCheckDigits(%j) returns %j', (vatId, country) => expect(countryByCheckDigits(vatId)).toBe(country))

  it.each([
    ['NL000099998B57', false],
    ['nl000099998b57', false],
    ['GR094259216', false],
    ['CHE107787577MWST', false],
    ['NL000099998B75', true],
    ['DE123', true],
    // Check digits are checked only after a prefix of the EU, the United Kingdom, or Switzerland.
    ['12/345/67890', false],
    ['NO923609016MVA', false],
    ['US12-3456789', false],
    ['980780685', false],
  ])('hasWrongCheckDigits(%j) returns %j', (vatId, isWrong) => expect(hasWrongCheckDigits(vatId)).toBe(isWrong))

  it('isNorwegianNumber() checks the check digit of a Norwegian number', () => {
    expect(isNorwegianNumber('923609016')).toBe(true)
    expect(isNorwegianNumber('923609017')).toBe(false)
  })
})
