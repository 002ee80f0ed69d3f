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

describe('OSS balances', () => {
  it.each<[string, OssRow[], [string, bigint][], bigint]>([
    [
      'a negative OSS balance does not reduce the balance of another member state',
      [correction('DE', -1900n), supply('FR', 2000n)],
      [
        ['DE', -1900n],
        ['FR', 2000n],
      ],
      2000n,
    ],
    [
      'an OSS correction reduces the balance of its own member state',
      [supply('DE', 3000n), correction('DE', -1900n)],
      [['DE', 1100n]],
      1100n,
    ],
    [
      'OSS supplies and corrections of several quarters result in one balance per member state',
      [supply('PT', 100n), supply('PT', 20n), correction('PT', -150n), correction('PT', -70n, '2026-Q3')],
      [['PT', -100n]],
      0n,
    ],
    ['an OSS balance of zero is listed', [supply('DE', 1900n), correction('DE', -1900n)], [['DE', 0n]], 0n],
    [
      'OSS corrections that are too late are excluded from every balance',
      [tooLate('DE', -1900n), supply('FR', 2000n)],
      [['FR', 2000n]],
      2000n,
    ],
    ['an OSS return without sales has no balance', [], [], 0n],
  ])('an OSS return has one balance per member state: %s', (_, rows, balances, toPay) => {
    expect(ossBalancesOf(rows)).toEqual({ balances: balances.map(([country, tax]) => ({ country, tax })), toPay })
  })

  it('the OSS balances add up to the declared tax, and the amount to pay is the sum of the positive balances', () => {
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
