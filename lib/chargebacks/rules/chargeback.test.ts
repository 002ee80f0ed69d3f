import { expect, test } from 'vitest'
import { needsReview } from './chargeback.ts'

test.each([
  [1n, false],
  [11_900n, false],
  [11_901n, true],
])('%s disputed of an order over 119.00 needs a review: %s', (amount, expected) => {
  expect(needsReview(amount, { total: 11_900n })).toBe(expected)
})
