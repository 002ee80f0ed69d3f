import { expect, it } from 'vitest'
import { fitsPostalCode } from '../../../kernel/postal-codes.ts'
import { isSamePlace, placeOfSupply } from './place-of-supply.ts'

const eu = (country: string, ratePercentage: string | null = null) => ({ area: 'eu', country, ratePercentage })
const outside = (country: string | null, ratePercentage: string | null = null) => ({
  area: 'outside',
  country,
  ratePercentage,
})

const territories = [
  { name: 'the Canary Islands', country: 'ES', example: '35001' },
  { name: 'Campione', country: 'IT', example: '22061' },
  { name: 'Heligoland', country: 'DE', example: '27498' },
  { name: 'Åland', country: 'FI', example: '22100' },
  { name: 'Mount Athos', country: 'GR', example: '63086' },
  { name: 'Madeira', country: 'PT', example: '9000001' },
  { name: 'Réunion', country: 'FR', example: '97400' },
  { name: 'Greenland', country: 'DK', example: '3900' },
  { name: 'San Marino', country: 'IT', example: '47890' },
  { name: 'Svalbard', country: 'NO', example: '9170' },
]

it.each([
  ['DE', null, eu('DE')],
  ['DE', '27499', eu('DE')],
  ['DE', ' d-27498 ', outside(null)],
  ['ES', '35 001', outside(null)],
  ['ES', '3500', eu('ES')],
  ['PT', '9000-001', eu('PT', '22')],
  ['PT', '9500', eu('PT', '16')],
  ['PT', '90001', eu('PT')],
  ['NL', '2200 AB', eu('NL')],
  ['PT', '9000–001', eu('PT', '22')],
  ['IT', '23041', outside(null)],
  ['IT', 'I-22061', outside(null)],
  ['IT', '23030', eu('IT')],
  ['IT', '22060', eu('IT')],
  ['FI', 'AX-22100', outside(null)],
  ['FI', '20100', eu('FI')],
  ['FR', '97110', outside('FR', '8.5')],
  ['FR', '97133', outside(null)],
  ['FR', '97150', outside(null)],
  ['FR', '97500', outside(null)],
  ['DK', '3900', outside('GL')],
  ['DK', '3911', outside('GL')],
  ['DK', 'DK-3999', outside('GL')],
  ['GL', '3900', outside('GL')],
  ['DK', '4000', eu('DK')],
  ['DK', '3890', eu('DK')],
  ['DK', null, eu('DK')],
  ['DK', 'FO-100', outside('FO')],
  ['DK', 'FO 970', outside('FO')],
  ['FO', '100', outside('FO')],
  ['IT', '47890', outside('SM')],
  ['IT', 'I-47899', outside('SM')],
  ['IT', '47900', eu('IT')],
  ['IT', '00120', outside('VA')],
  ['IT', '00121', eu('IT')],
  ['GB', 'je2 3ab', outside('JE')],
  ['GB', 'GY10 1AA', outside('GG')],
  ['GB', 'GX11 1AA', outside('GI')],
  ['GB', 'G1 1AA', outside('GB')],
  ['GB', 'IM1 1AA', outside('GB')],
  ['NO', '9170', outside('SJ')],
  ['NO', '8099', outside('SJ')],
  ['NO', '9180', outside('NO')],
  ['MQ', null, outside('FR', '8.5')],
  ['MC', '98000', eu('MC')],
  ['GB', 'BT1 1AA', outside('GB')],
  ['IM', null, outside('GB')],
  ['LI', '9490', outside('CH')],
  ['AX', '22100', outside('AX')],
  ['US', '22061', outside('US')],
])('the tax area of the country %s with the postal code %s is %j', (country, postalCode, place) => {
  expect(placeOfSupply(country, postalCode)).toEqual(place)
})

it.each(territories.map(({ name, country, example }) => [name, country, example] as const))(
  'a postal code of %s is recognized in each spelling that a form accepts',
  (_name, country, example) => {
    const split = `${example.slice(0, 3)} ${example.slice(3)}`
    const typed = [example, split, split.replace(' ', '-'), split.replace(' ', '–'), ` ${example} `].flatMap((code) => [
      code,
      ...[`${country}-`, `${country.slice(0, 1)}-`, `${country} – `, `${country.toLowerCase()}-`].map(
        (prefix) => prefix + code,
      ),
    ])
    const taken = typed.filter((code) => fitsPostalCode(code, country))
    expect(taken.length).toBeGreaterThan(5)
    expect(new Set(taken.map((code) => JSON.stringify(placeOfSupply(country, code))))).toEqual(
      new Set([JSON.stringify(placeOfSupply(country, example))]),
    )
  },
)

it.each([
  ['ES', null, '28001', true],
  ['ES', '28001', '35001', false],
  ['ES', null, '35001', false],
  ['ES', '35001', '51001', true],
  ['PT', '9000-001', '9500-001', false],
  ['PT', '9000-001', '9100', true],
  ['US', '10001', null, true],
  ['DK', '3900', '3911', true],
  ['DK', '3900', '1050', false],
  ['GB', 'JE2 3AB', 'SW1A 1AA', false],
])('in %s, the postal codes %s and %s are in the same tax area: %s', (country, postalCode, other, same) => {
  expect(isSamePlace(country, postalCode, other)).toBe(same)
})
