import { expect, it } from 'vitest'
import { isWellFormed, plainTaxId, vatIdPrefix } from './vat-id.ts'

/** Of python-stdnum's examples: a valid number, and the same with another check digit. */
const numbers = `AT ATU13585627 ATU13585626, BE BE0403019261 BE0403019262, BG BG175074752 BG175074751,
  HR HR33392005961 HR33392005962, CY CY10259033P CY10259033Z, CZ CZ25123891 CZ25123890, DK DK13585628 DK13585627,
  EE EE100931558 EE100931557, FI FI20774740 FI20774741, FR FR40303265045 FR84323140391, DE DE136695976 DE136695978,
  GR EL094259216 EL123456781, HU HU12892312 HU12892313, IE IE6433435F IE6433435E, IT IT00743110157 IT00743110158,
  LV LV40003521600 LV40003521601, LT LT119511515 LT119511514, LU LU15027442 LU15027443, MT MT11679112 MT11679113,
  NL NL004495445B01 NL123456789B90, PL PL8567346215 PL8567346216, PT PT501964843 PT501964842, RO RO18547290 RO18547291,
  SK SK2022749619 SK2022749618, SI SI50223054 SI50223055, ES ES54362315K ESB64717839, SE SE123456789701 SE123456789101,
  GB GB980780684 GB802311781, CH CHE-107.787.577MWST CHE-107.787.578MWST`
  .split(',')
  .map((line) => line.trim().split(' '))

it.each(numbers)('of %s: %s has the right check digits, %s has not', (country, valid, wrong) => {
  expect(isWellFormed(valid ?? '', country ?? '')).toBe(true)
  expect(isWellFormed(wrong ?? '', country ?? '')).toBe(false)
})

it.each([
  ['BE', 'BE1000000021'],
  ['BG', 'BG831650349'],
  ['IE', 'IE8D79739I'],
  ['NL', 'NL002455799B11'],
  ['NO', 'NO995525828MVA'],
  ['GB', 'GBGD001'],
  ['JP', 'anything'],
])('of %s: %s is well-formed too', (country, taxId) => {
  expect(isWellFormed(taxId, country)).toBe(true)
})

it('is compared without blanks, dots and dashes, in capitals', () => {
  expect(plainTaxId(' be 0403.019-261 ')).toBe('BE0403019261')
  expect([vatIdPrefix('GR'), vatIdPrefix('MC'), vatIdPrefix('DE')]).toEqual(['EL', 'FR', 'DE'])
})
