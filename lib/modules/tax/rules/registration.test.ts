import { expect, it } from 'vitest'
import { hasRates, isInForce } from './registration.ts'

it.each([
  ['2025-12-31', '2026-01-01', null, false],
  ['2026-01-01', '2026-01-01', null, true],
  ['2099-01-01', '2026-01-01', null, true],
  ['2026-06-30', '2026-01-01', '2026-06-30', true],
  ['2026-07-01', '2026-01-01', '2026-06-30', false],
])('on %s, a registration from %s until %s is in force: %s', (day, from, until, expected) => {
  expect(isInForce({ from, until }, day)).toBe(expected)
})

it('hasRates is true for Switzerland and Canada, and false for the United States and Japan', () => {
  expect(['CH', 'CA', 'US', 'JP'].map(hasRates)).toEqual([true, true, false, false])
})
