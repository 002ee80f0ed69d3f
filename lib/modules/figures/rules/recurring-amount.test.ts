import { describe, expect, it } from 'vitest'
import { percent } from '../../../kernel/money.ts'
import { isSameAmount, recurringAfter, type ShownTerms, sumIn } from './recurring-amount.ts'

const terms: ShownTerms = {
  status: 'active',
  isInTrial: false,
  planId: 'plan_1',
  price: { minor: 1000n, currency: 'EUR' },
  quantity: 3,
  every: { interval: 'month', intervalCount: 1 },
  includedTax: percent('0'),
}
const eur = (amount: bigint) => ({ currency: 'EUR', amount, planId: 'plan_1' }) as const

describe('the MRR of a subscription', () => {
  it.each([
    ['an active subscription', {}, null, 3000n],
    ['a yearly plan', { every: { interval: 'year', intervalCount: 1 } }, null, 250n],
    ['a price with tax', { price: { minor: 1210n, currency: 'EUR' }, includedTax: percent('21') }, null, 3000n],
    ['a trial', { status: 'trial', isInTrial: true }, null, 0n],
    ['a pause', { status: 'paused' }, eur(3000n), 0n],
    ['an ended subscription', { status: 'canceled' }, eur(3000n), 0n],
    ['a subscription that was never paid', { status: 'created' }, null, 0n],
    ['a canceled subscription with paid time', { status: 'on_grace_period' }, eur(3000n), 3000n],
    ['more units in the grace period', { status: 'on_grace_period', quantity: 5 }, eur(3000n), 5000n],
    ['a cancellation in a pause', { status: 'on_grace_period' }, eur(0n), 0n],
    ['a cancellation in a trial', { status: 'on_grace_period', isInTrial: true }, null, 0n],
    ['a cancellation with unknown earlier events', { status: 'on_grace_period' }, null, 3000n],
  ] as const)('%s', (_, difference, before, expected) => {
    expect(recurringAfter({ ...terms, ...difference } as ShownTerms, before)).toEqual(eur(expected))
  })
})

it('two amounts of zero are equal, whatever their plans', () => {
  expect(isSameAmount(null, eur(0n))).toBe(true)
  expect(isSameAmount({ ...eur(0n), planId: 'plan_2' }, eur(0n))).toBe(true)
  expect(isSameAmount({ ...eur(5n), planId: 'plan_2' }, eur(5n))).toBe(false)
  expect(isSameAmount({ ...eur(5n), currency: 'USD' }, eur(5n))).toBe(false)
  expect(isSameAmount(eur(5n), eur(5n))).toBe(true)
})

it('a sum adds only the amounts of one currency', () => {
  expect(sumIn([eur(5n), eur(6n), { ...eur(7n), currency: 'USD' }], 'EUR')).toBe(11n)
})
