import { expect, it } from 'vitest'
import { taxAreaOf } from './areas.ts'

it('Monaco counts as France, and Northern Ireland as the United Kingdom', () => {
  expect(taxAreaOf('MC')).toEqual({ country: 'FR', isInEu: true })
  expect(taxAreaOf('GB', 'BT1 5GS')).toEqual({ country: 'GB', isInEu: false })
})

it.each([
  ['ES', '35 001', false],
  ['ES', '350011', true],
  ['FI', '22100', false],
  ['PT', '9000-039', true],
  ['DE', '78266', false],
  ['DE', '782661', true],
  ['DE', null, true],
])('%s %j: in the VAT area is %s', (country, postalCode, isInEu) => {
  expect(taxAreaOf(country, postalCode).isInEu).toBe(isInEu)
})
