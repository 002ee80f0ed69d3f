import { describe, expect, it } from 'vitest'
import { percent } from '../../../kernel/money.ts'
import { isSameAmount, recurringAfter, type ShownTerms, sumIn } from './recurring-amount.ts'

const terms: ShownTerms = {
  status: 'active',
  canceledFrom: null,
  planId: 'plan_1',
  price: { minor: 1000n, currency: 'EUR' },
  quantity: 3,
  every: { interval: 'month', intervalCount: 1 },
  includedTax: percent('0'),
}
const canceled = (canceledFrom: 'trial' | 'active' | 'paused') => ({ status: 'on_grace_period', canceledFrom }) as const
const eur = (amount: bigint) => ({ currency: 'EUR', amount, planId: 'plan_1' }) as const

describe('the MRR of a subscription', () => {
  it.each([
    ['an active subscription counts with its price times its quantity', {}, 3000n],
    ['a yearly plan counts with a twelfth of its price', { every: { interval: 'year', intervalCount: 1 } }, 250n],
    [
      'a price that includes tax counts without the tax',
      { price: { minor: 1210n, currency: 'EUR' }, includedTax: percent('21') },
      3000n,
    ],
    ['a subscription in a trial does not count', { status: 'trial' }, 0n],
    ['a paused subscription does not count', { status: 'paused' }, 0n],
    ['an ended subscription does not count', { status: 'canceled' }, 0n],
    ['a subscription that was never paid does not count', { status: 'created' }, 0n],
    ['a canceled subscription counts until its paid period ends', canceled('active'), 3000n],
    ['an increased quantity counts in the grace period', { ...canceled('active'), quantity: 5 }, 5000n],
    ['a subscription that was canceled during a pause does not count', canceled('paused'), 0n],
    ['a subscription that was canceled during a trial does not count', canceled('trial'), 0n],
  ] as const)('in monthly recurring revenue, %s', (_, difference, expected) => {
    expect(recurringAfter({ ...terms, ...difference } as ShownTerms)).toEqual(eur(expected))
  })
})

it('two MRR amounts of zero are equal even if their plans differ', () => {
  expect(isSameAmount(null, eur(0n))).toBe(true)
  expect(isSameAmount({ ...eur(0n), planId: 'plan_2' }, eur(0n))).toBe(true)
  expect(isSameAmount({ ...eur(5n), planId: 'plan_2' }, eur(5n))).toBe(false)
  expect(isSameAmount({ ...eur(5n), currency: 'USD' }, eur(5n))).toBe(false)
  expect(isSameAmount(eur(5n), eur(5n))).toBe(true)
})

it('a sum of MRR adds only amounts of one currency', () => {
  expect(sumIn([eur(5n), eur(6n), { ...eur(7n), currency: 'USD' }], 'EUR')).toBe(11n)
})
