import { expect, it } from 'vitest'
import { hasRightCheckDigits } from './vat-number.ts'

it.each([
  ['BE0403019261', true],
  ['BE0403019262', false],
  ['NO995525828MVA', true],
  ['JP123', true],
])('the check digits of %s are right: %s', (number, right) => {
  expect(hasRightCheckDigits(number)).toBe(right)
})
