import { describe, expect, it } from 'vitest'
import { isTaxIdOf, requiredPrefix, taxIdPrefix, viesParts } from './vat-id.ts'

/** Valid and invalid numbers of each country, most of them from the tests of python-stdnum. */
const vectors: Readonly<Record<string, readonly [valid: string, invalid: string]>> = {
  AT: ['ATU13585627', 'ATU13585626'],
  BE: ['BE0403019261 BE0428759497 BE1000000021', 'BE0403019262'],
  BG: ['BG175074752 BG831650349', 'BG175074751'],
  CY: ['CY10259033P', 'CY10259033Z'],
  CZ: ['CZ25123891 CZ7103192745 CZ640903926', 'CZ25123890'],
  DE: ['DE136695976', 'DE136695978 DE123456789'],
  DK: ['DK13585628', 'DK13585627'],
  EE: ['EE100931558', 'EE100931557'],
  ES: ['ES54362315K ESB58378431 ESM1234567L ESX2482300W', 'ESB64717839'],
  FI: ['FI20774740', 'FI20774741'],
  FR: ['FR40303265045 FR23334175221 FRK7399859412 FR4Z123456782', 'FR84323140391'],
  GB: ['GB980780684 GBGD001 GBHA500 XI980780684', 'GB802311781 GBGD500 XI123456789'],
  GR: ['EL094259216 GR094259216', 'EL123456781'],
  HR: ['HR33392005961', 'HR33392005962'],
  HU: ['HU12892312', 'HU12892313'],
  IM: ['GB980780684', 'GB802311781 IM980780684'],
  IE: ['IE6433435F IE6433435OA IE8D79739I', 'IE6433435E'],
  IT: ['IT00743110157', 'IT00743110158'],
  LT: ['LT119511515 LT100001919017 LT100004801610', 'LT119511514'],
  LU: ['LU15027442', 'LU15027443'],
  LV: ['LV40003521600', 'LV40003521601'],
  MC: ['FR53000004605', 'FR40303265045'],
  MT: ['MT11679112', 'MT11679113'],
  NL: ['NL004495445B01 NL002455799B11', 'NL123456789B90'],
  PL: ['PL8567346215', 'PL8567346216'],
  PT: ['PT501964843', 'PT501964842'],
  RO: ['RO18547290', 'RO18547291'],
  SE: ['SE123456789701', 'SE123456789101'],
  SI: ['SI50223054', 'SI50223055'],
  SK: ['SK2022749619', 'SK2022749618'],
  CH: ['CHE-107.787.577MWST CHE100155212MWST', 'CHE-107.787.578MWST'],
  NO: ['NO995525828MVA', 'NO995525829MVA'],
}

describe.each(Object.entries(vectors))('the VAT IDs of %s', (country, [valid, invalid]) => {
  it.each(valid.split(' '))('the VAT ID %s is valid, also with a lowercase prefix, blanks, and a hyphen', (taxId) => {
    expect(isTaxIdOf(taxId, country)).toBe(true)
    const prefix = taxId.slice(0, 2).toLowerCase()
    expect(isTaxIdOf(` ${prefix} ${taxId.slice(2, 5)}-${taxId.slice(5)} `, country)).toBe(true)
  })
  it.each(invalid.split(' '))('the VAT ID %s is not valid', (taxId) => {
    expect(isTaxIdOf(taxId, country)).toBe(false)
  })
})

it.each([
  ['a number of another country', 'DE136695976', 'AT'],
  ['a number without its prefix', '136695976', 'DE'],
  ['a number of the One Stop Shop', 'EU372022452', 'DE'],
  ['a number of the One Stop Shop for a buyer outside the EU', 'EU372022452', 'US'],
  ['a prefix alone', 'DE', 'DE'],
  ['a number of Northern Ireland in Ireland', 'XI980780684', 'IE'],
  ['an empty text', ' ', 'US'],
])('isTaxIdOf refuses %s (%j in %s)', (_, taxId, country) => {
  expect(isTaxIdOf(taxId, country)).toBe(false)
})

it('any nonempty text is accepted as a tax ID in a country whose format is unknown', () => {
  expect(isTaxIdOf('12-3456789', 'US')).toBe(true)
})

it.each([
  ['GR', 'EL'],
  ['MC', 'FR'],
  ['LI', 'CHE'],
  ['GB', 'GB'],
  ['IM', 'GB'],
  ['NO', null],
  ['US', null],
])('the required prefix of a VAT ID in %s is %s', (country, prefix) => {
  expect(requiredPrefix(country)).toBe(prefix)
})

it('viesParts separates the prefix and the number of a VAT ID', () => {
  expect(viesParts('gr 094259216')).toEqual({ countryCode: 'EL', vatNumber: '094259216' })
  expect([taxIdPrefix('GR'), taxIdPrefix('MC'), taxIdPrefix('DE')]).toEqual(['EL', 'FR', 'DE'])
})
