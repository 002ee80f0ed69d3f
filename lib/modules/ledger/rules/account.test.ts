import { expect, it } from 'vitest'
import { entries } from './account.ts'

it('an account without movement has no entry', () => {
  expect(entries({ merchant_balance: 5n, payouts: -5n, refunds: 0n })).toEqual([
    { account: 'merchant_balance', amount: 5n },
    { account: 'payouts', amount: -5n },
  ])
})

it('amounts that do not sum to zero are no posting', () => {
  expect(() => entries({ merchant_balance: 5n, payouts: -4n })).toThrow('sum to zero')
})
