import { describe, expect, it } from 'vitest'
import { percent } from '../../../kernel/money.ts'
import { type OpenDispute, releasedOf, stillDisputed, withheldOf } from './release.ts'

const dispute = (status: OpenDispute['status'], amount: bigint, total = 0n): OpenDispute => ({
  status,
  amount,
  total,
  providerFee: 1_500n,
  orderTotal: 12_100n,
})

describe('an open dispute may still take', () => {
  it.each([
    ['nothing more after it took the whole amount', dispute('pending', 12_100n, 12_100n), 0n],
    ['the amount that a pending refund blocks', dispute('pending', 12_100n, 10_000n), 2_100n],
    ['the same amount after evidence was submitted', dispute('evidence_submitted', 12_100n, 10_000n), 2_100n],
    ['nothing more after it took its part of the order', dispute('evidence_submitted', 5_000n, 5_000n), 0n],
    ['the whole order and the fee during a review', dispute('requires_amount_review', 500_000n), 13_600n],
    ['nothing once it is lost', dispute('lost', 12_100n, 12_100n), 0n],
    ['nothing once it is won', dispute('won', 12_100n, 10_000n), 0n],
    ['nothing once it is rejected', dispute('rejected', 500_000n), 0n],
  ])('a dispute may still take %s', (_, of, expected) => {
    expect(stillDisputed(of)).toBe(expected)
  })
})

describe('of a balance', () => {
  const none = { held: 0n, sold: 0n, reserveShare: percent('0'), disputes: [] }
  it.each([
    ['all is released without anything to withhold', 10_000n, none, [0n, 0n, 0n, 10_000n]],
    ['the hold is withheld', 10_000n, { ...none, held: 4_000n }, [4_000n, 0n, 0n, 6_000n]],
    ['no reserve is withheld by default', 10_000n, { ...none, sold: 90_000n }, [0n, 0n, 0n, 10_000n]],
    [
      'a share of the sales is',
      10_000n,
      { ...none, sold: 90_000n, reserveShare: percent('5') },
      [0n, 4_500n, 0n, 5_500n],
    ],
    ['half a cent counts', 100n, { ...none, sold: 5n, reserveShare: percent('10') }, [0n, 1n, 0n, 99n]],
    ['less than half does not', 100n, { ...none, sold: 4n, reserveShare: percent('10') }, [0n, 0n, 0n, 100n]],
    [
      'hold, reserve and disputes add up',
      50_000n,
      {
        held: 10_000n,
        sold: 100_000n,
        reserveShare: percent('2.5'),
        disputes: [dispute('requires_amount_review', 500_000n), dispute('pending', 12_100n, 10_000n)],
      },
      [10_000n, 2_500n, 15_700n, 21_800n],
    ],
    ['what is not there is not released', 1_000n, { ...none, held: 4_000n }, [4_000n, 0n, 0n, 0n]],
    ['a debt releases nothing', -1_000n, none, [0n, 0n, 0n, 0n]],
  ] as const)('%s', (_, balance, claims, [held, reserve, disputed, released]) => {
    const withheld = withheldOf(claims)
    expect(withheld).toEqual({ held, reserve, disputed })
    expect(releasedOf(balance, withheld)).toBe(released)
  })
})
