import { expect, it } from 'vitest'
import { compareSettlement, type SettlementSums } from './settlement.ts'

/** An example from Mollie's documentation: 86.10 less refunds of 43.20 and costs of 3.146 is 39.754, which is paid out as 39.75. */
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
  ['has no difference if it equals revenue less costs', {}, []],
  ['has no difference while it is pending', { status: 'pending' }, []],
  ['is reported if it is one cent too low', { amount: 397_400n }, ['settlement_sum']],
  ['is reported if it is one cent too high', { amount: 397_700n }, ['settlement_sum']],
  ['is reported if it failed', { status: 'failed' }, ['settlement_failed']],
  [
    'is reported twice if it failed and has a wrong sum',
    { status: 'failed', costs: 0n },
    ['settlement_failed', 'settlement_sum'],
  ],
  ['has no difference if it is zero', { amount: 0n, revenue: 0n, costs: 0n }, []],
  ['has no difference if it is negative', { amount: -100_000n, revenue: -90_000n, costs: 10_000n }, []],
] as const)('in a comparison of our books with the provider’s books, a settlement %s', (_, change, kinds) => {
  expect(compareSettlement({ ...settled, ...change }).map(({ kind }) => kind)).toEqual(kinds)
})

it('a wrong settlement is reported with its id, its bank statement reference, the settled amount, and the expected amount', () => {
  expect(compareSettlement({ ...settled, amount: 400_000n })).toEqual([
    { kind: 'settlement_sum', ref: 'stl_1', id: null, atProvider: '40.0000 EUR, 1234567.2404.03', ours: '39.7540 EUR' },
  ])
})
