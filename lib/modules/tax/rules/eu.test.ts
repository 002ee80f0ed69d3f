import { expect, it } from 'vitest'
import { isInEuVatArea } from './eu.ts'

it.each(['DE', 'NL', 'GR', 'HR', 'MC'])('%s is in the area of the VAT directive', (country) => {
  expect(isInEuVatArea(country)).toBe(true)
})

it.each(['CH', 'GB', 'NO', 'LI', 'US', 'XI', 'EL', null])('%s is not in the area of the VAT directive', (country) => {
  expect(isInEuVatArea(country)).toBe(false)
})
