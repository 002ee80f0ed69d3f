import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '../../../kernel/money.ts'
import { ossBalancesOf } from './oss-balances.ts'
import type { OssRow } from './returns.ts'

const supply = (country: string, taxAmount: bigint): OssRow => ({
  ...{ record: 'supply', quarter: '2027-Q1', country, rate: '20', taxable: 0n, taxAmount },
})
const correction = (country: string, taxAmount: bigint, quarter = '2026-Q4'): OssRow => ({
  ...{ record: 'correction', quarter, country, rate: null, taxable: null, taxAmount },
})
const tooLate = (country: string, taxAmount: bigint): OssRow => ({
  ...correction(country, taxAmount, '2023-Q3'),
  record: 'too_late',
})

describe('the balances of the member states', () => {
  it.each<[string, OssRow[], [string, bigint][], bigint]>([
    [
      'a balance below zero lowers no other one',
      [correction('DE', -1900n), supply('FR', 2000n)],
      [
        ['DE', -1900n],
        ['FR', 2000n],
      ],
      2000n,
    ],
    [
      'a correction lowers the balance of its own state',
      [supply('DE', 3000n), correction('DE', -1900n)],
      [['DE', 1100n]],
      1100n,
    ],
    [
      'corrections of several quarters and rates of one state are one balance',
      [supply('PT', 100n), supply('PT', 20n), correction('PT', -150n), correction('PT', -70n, '2026-Q3')],
      [['PT', -100n]],
      0n,
    ],
    ['a balance of zero is shown', [supply('DE', 1900n), correction('DE', -1900n)], [['DE', 0n]], 0n],
    [
      'what a return no longer takes is in no balance',
      [tooLate('DE', -1900n), supply('FR', 2000n)],
      [['FR', 2000n]],
      2000n,
    ],
    ['nothing was sold', [], [], 0n],
  ])('%s', (_, rows, balances, toPay) => {
    expect(ossBalancesOf(rows)).toEqual({ balances: balances.map(([country, tax]) => ({ country, tax })), toPay })
  })

  it('add up to the declared rows, and to the amount to pay less what states repay', () => {
    const row = fc
      .tuple(fc.constantFrom(supply, correction, tooLate), fc.constantFrom('DE', 'FR', 'PT'), fc.bigInt(-9999n, 9999n))
      .map(([make, country, tax]) => make(country, tax))
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const { balances, toPay } = ossBalancesOf(rows)
        const declared = rows.filter(({ record }) => record !== 'too_late')
        expect(sum(balances.map(({ tax }) => tax))).toBe(sum(declared.map(({ taxAmount }) => taxAmount)))
        expect(toPay).toBe(sum(balances.map(({ tax }) => (tax > 0n ? tax : 0n))))
      }),
    )
  })
})
