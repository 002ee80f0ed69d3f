import { expect, it } from 'vitest'
import { entries } from './account.ts'

it('a posting has no entry with an amount of zero', () => {
  expect(entries({ merchant_balance: 5n, payouts: -5n, refunds: 0n })).toEqual([
    { account: 'merchant_balance', amount: 5n },
    { account: 'payouts', amount: -5n },
  ])
})

it('entries() throws if the amounts of a posting do not sum to zero', () => {
  expect(() => entries({ merchant_balance: 5n, payouts: -4n })).toThrow('sum to zero')
})
