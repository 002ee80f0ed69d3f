import { expect, test } from 'vitest'
import { type Chargeback, needsReview, settlementAmount } from './chargeback.ts'
import type { ChargebackStatus } from './state.ts'

test.each([
  [1n, false],
  [11_900n, false],
  [11_901n, true],
])('a dispute of %s cents about an order of 119.00 needs an amount review: %s', (amount, expected) => {
  expect(needsReview(amount, { total: 11_900n })).toBe(expected)
})

test.each<[ChargebackStatus, amount: bigint, total: bigint, settled: bigint]>([
  ['pending', 1_210n, 1_210n, 2_710n],
  ['evidence_submitted', 1_210n, 1_210n, 2_710n],
  ['won', 1_210n, 1_210n, 2_710n],
  ['lost', 1_210n, 1_210n, 2_710n],
  // Earlier refunds returned half of the order, so the dispute reverses only the other half.
  ['lost', 1_210n, 605n, 2_105n],
  ['lost', 1_210n, 0n, 1_500n],
  ['requires_amount_review', 500_000n, 0n, 0n],
  ['rejected', 500_000n, 0n, 0n],
  ['accepted', 500_000n, 1_210n, 2_710n],
])(
  'in status %s, a chargeback of %s cents with %s reversed cents lowers the settlement by %s cents',
  (status, amount, total, settled) => {
    expect(settlementAmount({ status, amount, total, providerFee: 1_500n } as Chargeback)).toBe(settled)
  },
)
