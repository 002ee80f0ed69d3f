import { expect, it } from 'vitest'
import { countries } from '../../../kernel/countries.ts'
import { isInEuVatArea } from './eu.ts'
import { taxIdExample } from './tax-id-format.ts'

it.each([
  ['DE', null, 'DE123456789'],
  ['DE', '', 'DE123456789'],
  ['DE', 'DE1', 'DE123456789'],
  ['DE', 'NL123456789B01', 'DE123456789'],
  ['DE', 'DE123456789', null],
  ['AT', 'ATU12345678', null],
  ['BE', 'BE2123456789', 'BE0123456789'],
  ['ES', 'ESX1234567X', null],
  ['FR', 'FRAB123456789', null],
  ['IE', 'IE1234567WA', null],
  ['NL', 'NL123456789B01', null],
  ['NL', 'NL123456789', 'NL123456789B01'],
  ['GB', 'GBGD123', null],
  ['CH', 'CHE123456789', null],
  ['NO', 'NO123456789MVA', null],
  ['US', null, null],
  ['', 'DE1', null],
])('the tax ID example for a buyer in %j who entered %j is %j', (country, typed, example) => {
  expect(taxIdExample(typed, country, country)).toBe(example)
})

it('the prefix of Greek tax IDs is EL instead of the country code', () => {
  expect(taxIdExample('GR123456789', 'GR', 'EL')).toBe('EL123456789')
  expect(taxIdExample('EL123456789', 'GR', 'EL')).toBeNull()
})

it.each(countries.filter((country) => isInEuVatArea(country) && country !== 'MC'))(
  'the tax ID example for %s meets the format of the country',
  (country) => {
    const example = taxIdExample(null, country, country)
    expect(example).not.toBeNull()
    expect(taxIdExample(example, country, country)).toBeNull()
  },
)
