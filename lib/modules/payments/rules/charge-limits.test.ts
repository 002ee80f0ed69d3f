import { expect, it } from 'vitest'
import { brokenLimit, noLimits } from './charge-limits.ts'

const debit = { least: 1n, most: 100_000n }
const card = { least: 50n, most: null }

it.each([
  ['above the maximum violates the maximum', 120_879n, debit, 'most'],
  ['one cent above the maximum violates the maximum', 100_001n, debit, 'most'],
  ['of exactly the maximum violates no limit', 100_000n, debit, null],
  ['of exactly the minimum violates no limit', 1n, debit, null],
  ['below the minimum violates the minimum', 49n, card, 'least'],
  ['of 0.00 violates no limit', 0n, card, null],
  ['with a negative amount violates no limit', -500n, card, null],
  ['violates no limit if the provider has none', 10n ** 12n, noLimits, null],
] as const)('with the amount limits of a payment provider, a charge %s', (...[, total, limits, broken]) => {
  expect(brokenLimit(total, limits)).toBe(broken)
})
