import { expect, it } from 'vitest'
import { compareSettlement, type SettlementSums } from './settlement.ts'

/** Mollie's documented example: 86.10 less refunds of 43.20 and costs of 3.146 is 39.754, paid out as 39.75. */
const settled: SettlementSums = {
  ref: 'stl_1',
  reference: '1234567.2404.03',
  currency: 'EUR',
  status: 'paid',
  amount: 397_500n,
  revenue: 429_000n,
  costs: 31_460n,
}

it.each([
  ['adds up to the cent has no difference', {}, []],
  ['is pending has no difference', { status: 'pending' }, []],
  ['is a cent short has a wrong sum', { amount: 397_400n }, ['settlement_sum']],
  ['is a cent over has a wrong sum', { amount: 397_700n }, ['settlement_sum']],
  ['failed is reported', { status: 'failed' }, ['settlement_failed']],
  [
    'failed and does not add up has two differences',
    { status: 'failed', costs: 0n },
    ['settlement_failed', 'settlement_sum'],
  ],
  ['is zero has no difference', { amount: 0n, revenue: 0n, costs: 0n }, []],
  ['is negative has no difference', { amount: -100_000n, revenue: -90_000n, costs: 10_000n }, []],
] as const)('a settlement that %s', (_, change, kinds) => {
  expect(compareSettlement({ ...settled, ...change }).map(({ kind }) => kind)).toEqual(kinds)
})

it('the difference of a settlement names its id, its reference, and both sums', () => {
  expect(compareSettlement({ ...settled, amount: 400_000n })).toEqual([
    { kind: 'settlement_sum', ref: 'stl_1', id: null, atProvider: '40.0000 EUR, 1234567.2404.03', ours: '39.7540 EUR' },
  ])
})
