import { expect, it } from 'vitest'
import { placeOf } from './territories.ts'

const eu = (country: string, ratePercentage: string | null = null) => ({ area: 'eu', country, ratePercentage })
const outside = (country: string | null, ratePercentage: string | null = null) => ({
  ...{ area: 'outside', country, ratePercentage },
})

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
  ['FR', '97110', outside('FR', '8.5')],
  ['FR', '97500', outside(null)],
  ['MQ', null, outside('FR', '8.5')],
  ['MC', '98000', eu('MC')],
  ['GB', 'BT1 1AA', outside('GB')],
  ['IM', null, outside('GB')],
  ['LI', '9490', outside('CH')],
  ['AX', '22100', outside('AX')],
  ['US', '22061', outside('US')],
])('%s %s', (country, postalCode, place) => {
  expect(placeOf(country, postalCode)).toEqual(place)
})
