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

describe('dispute', () => {
  it.each([
    ['zero after the dispute reversed the whole order', dispute('pending', 12_100n, 12_100n), 0n],
    ['the amount that a pending refund blocks', dispute('pending', 12_100n, 10_000n), 2_100n],
    [
      'the amount that a pending refund blocks after evidence was submitted',
      dispute('evidence_submitted', 12_100n, 10_000n),
      2_100n,
    ],
    ['zero after the dispute reversed its whole amount', dispute('evidence_submitted', 5_000n, 5_000n), 0n],
    ['the whole order and the fee during a review', dispute('requires_amount_review', 500_000n), 13_600n],
    ['zero after the dispute is lost', dispute('lost', 12_100n, 12_100n), 0n],
    ['zero after the dispute is won', dispute('won', 12_100n, 10_000n), 0n],
    ['zero after the dispute is rejected', dispute('rejected', 500_000n), 0n],
  ])('the amount at risk in a dispute is %s', (_, of, expected) => {
    expect(stillDisputed(of)).toBe(expected)
  })
})

describe('released balance', () => {
  const none = { held: 0n, sold: 0n, reserveShare: percent('0'), disputes: [] }
  it.each([
    ['the whole balance is released if nothing is withheld', 10_000n, none, [0n, 0n, 0n, 10_000n]],
    ['the held amount is not released', 10_000n, { ...none, held: 4_000n }, [4_000n, 0n, 0n, 6_000n]],
    ['the reserve is zero if no share is configured', 10_000n, { ...none, sold: 90_000n }, [0n, 0n, 0n, 10_000n]],
    [
      'the reserve is a share of the sales',
      10_000n,
      { ...none, sold: 90_000n, reserveShare: percent('5') },
      [0n, 4_500n, 0n, 5_500n],
    ],
    ['the reserve rounds half a cent up', 100n, { ...none, sold: 5n, reserveShare: percent('10') }, [0n, 1n, 0n, 99n]],
    [
      'the reserve rounds less than half a cent down',
      100n,
      { ...none, sold: 4n, reserveShare: percent('10') },
      [0n, 0n, 0n, 100n],
    ],
    [
      'hold, reserve, and open disputes are all withheld',
      50_000n,
      {
        held: 10_000n,
        sold: 100_000n,
        reserveShare: percent('2.5'),
        disputes: [dispute('requires_amount_review', 500_000n), dispute('pending', 12_100n, 10_000n)],
      },
      [10_000n, 2_500n, 15_700n, 21_800n],
    ],
    ['no amount is released if the hold exceeds the balance', 1_000n, { ...none, held: 4_000n }, [4_000n, 0n, 0n, 0n]],
    ['no amount of a negative balance is released', -1_000n, none, [0n, 0n, 0n, 0n]],
  ] as const)(
    'the released balance excludes the hold, the reserve, and open disputes: %s',
    (_, balance, claims, [held, reserve, disputed, released]) => {
      const withheld = withheldOf(claims)
      expect(withheld).toEqual({ held, reserve, disputed })
      expect(releasedOf(balance, withheld)).toBe(released)
    },
  )
})
