import { expect, it } from 'vitest'
import { entries } from './account.ts'

it('an account that does not move has no entry', () => {
  expect(entries({ merchant_balance: 5n, payouts: -5n, refunds: 0n })).toEqual([
    { account: 'merchant_balance', amount: 5n },
    { account: 'payouts', amount: -5n },
  ])
})

it('what does not sum to zero is no booking', () => {
  expect(() => entries({ merchant_balance: 5n, payouts: -4n })).toThrow('sum to zero')
})
