import { describe, expect, it } from 'vitest'
import { countries } from './countries.ts'
import { fitsPostalCode, hasPostalCodes, postalCodeExample } from './postal-codes.ts'

describe('postal codes', () => {
  it.each([
    ['NL', '1015 CS', true],
    ['NL', '1015cs', true],
    ['NL', '1015', false],
    ['NL', '1015 C5', false],
    ['DE', '10115', true],
    ['DE', 'D-10115', true],
    ['DE', 'ABC', false],
    ['DE', '1011', false],
    ['LV', '1050', true],
    ['LT', 'LT-01100', true],
    ['SE', '11129', true],
    ['PL', '00001', true],
    ['PT', '1100', false],
    ['US', '20001', true],
    ['US', '20001-1234', true],
    ['US', '2000', false],
    ['CA', 'k1a0b1', true],
    ['CA', '12345', false],
    ['GB', 'SW1A 1AA', true],
    ['GB', 'M11AE', true],
    ['GB', '12345', false],
    ['IE', 'D6W XK28', true],
    ['IE', 'D02 X285', true],
    ['IE', 'Dublin 2', false],
    ['KZ', 'Z05T3D0', true],
    ['JP', '100-0001', true],
    ['GH', 'anything', true],
    ['', 'anything', true],
  ])('in the country %s, the postal code %j is valid: %j', (country, code, fits) => {
    expect(fitsPostalCode(code, country)).toBe(fits)
  })

  it.each(countries.filter(postalCodeExample))('the example postal code of %s is valid', (country) => {
    expect(fitsPostalCode(postalCodeExample(country) ?? '', country)).toBe(true)
    expect(hasPostalCodes(country)).toBe(true)
  })

  it('Ghana has no example postal code, and Hong Kong and the UAE have no postal codes', () => {
    expect([postalCodeExample('NL'), postalCodeExample('GB'), postalCodeExample('GH')]).toEqual([
      '1015 CS',
      'SW1A 1AA',
      null,
    ])
    expect(['NL', 'GH', '', 'HK', 'AE'].map(hasPostalCodes)).toEqual([true, true, true, false, false])
  })
})
