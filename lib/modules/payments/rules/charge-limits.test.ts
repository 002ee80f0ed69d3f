import { expect, it } from 'vitest'
import { brokenLimit, noLimits } from './charge-limits.ts'

const debit = { least: 1n, most: 100_000n }
const card = { least: 50n, most: null }

it.each([
  ['above the maximum', 120_879n, debit, 'most'],
  ['one cent above the maximum', 100_001n, debit, 'most'],
  ['of the most', 100_000n, debit, null],
  ['of the least', 1n, debit, null],
  ['below the minimum', 49n, card, 'least'],
  ['of nothing', 0n, card, null],
  ['that is a credit', -500n, card, null],
  ['without limits', 10n ** 12n, noLimits, null],
] as const)('a charge %s breaks the right limit', (...[, total, limits, broken]) => {
  expect(brokenLimit(total, limits)).toBe(broken)
})
