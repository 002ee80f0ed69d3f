import { expect, it } from 'vitest'
import { isInEuVatArea } from './eu.ts'

it.each(['DE', 'NL', 'GR', 'HR', 'MC'])('the country %s is in the area of the VAT directive', (country) => {
  expect(isInEuVatArea(country)).toBe(true)
})

it.each(['CH', 'GB', 'NO', 'LI', 'US', 'XI', 'EL', null])(
  'the country %s is not in the area of the VAT directive',
  (country) => {
    expect(isInEuVatArea(country)).toBe(false)
  },
)
