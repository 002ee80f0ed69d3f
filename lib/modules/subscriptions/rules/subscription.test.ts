import { describe, expect, it } from 'vitest'
import { aBetterPlan, aPlan, aSubscription, euros, inEachState } from '../examples.ts'
import { subscriptionStates } from './state.ts'
import {
  amountOf,
  nextRenewalAt,
  type ScheduledUpdate,
  sameInterval,
  sameTerms,
  scheduledTerms,
  termsChange,
} from './subscription.ts'

it.each(subscriptionStates.states)(
  'only a subscription in the status active or trial has a next renewal: %s',
  (status) => {
    const subscription = inEachState[status]
    const renews = status === 'active' || status === 'trial'
    expect(nextRenewalAt(subscription)).toEqual(renews ? subscription.renewedUntil : null)
  },
)

describe('terms', () => {
  const terms = { ...aPlan(), quantity: 1 }

  it('the amount of a period is the price times the quantity', () => {
    expect(amountOf({ price: euros(999n), quantity: 3 })).toBe(2_997n)
    expect(amountOf({ price: euros(9_999_999_999n), quantity: 999_999 })).toBe(9_999_989_999_000_001n)
  })

  it.each([
    ['planId', { planId: 'subscription_plan_3' }],
    ['name', { name: 'Other' }],
    ['description', { description: 'Other.' }],
    ['price', { price: euros(1n) }],
    ['interval', { billingInterval: { interval: 'year', intervalCount: 1 } }],
    ['intervalCount', { billingInterval: { interval: 'month', intervalCount: 3 } }],
    ['quantity', { quantity: 2 }],
  ] as const)('two sets of terms are different if %s differs', (_, difference) => {
    expect(sameTerms(terms, { ...terms, ...difference })).toBe(false)
    expect(sameTerms(terms, structuredClone(terms))).toBe(true)
  })

  it('termsChange() lists the old and new value of each changed term, and omits the price if the plan name has changed', () => {
    const before = aSubscription({ quantity: 3 })
    const changed = (differences: object) => termsChange(before, { ...before, ...differences })
    expect(changed({ description: 'Other.' })).toBeUndefined()
    expect(changed({ quantity: 5 })).toEqual({ plan: null, quantity: { from: 3, to: 5 }, price: null })
    expect(changed({ ...aBetterPlan(), quantity: 5 })).toEqual({
      plan: { from: 'Basic', to: 'Pro' },
      quantity: { from: 3, to: 5 },
      price: null,
    })
    const dearer = { planId: 'subscription_plan_3', price: euros(12_345n) }
    const price = { from: '100.00', to: '123.45', withTax: false }
    expect(changed(dearer)).toEqual({ plan: null, quantity: null, price })
    const inclusive = aSubscription({ taxBehavior: 'inclusive' })
    expect(termsChange(inclusive, { ...inclusive, ...dearer })?.price).toEqual({ ...price, withTax: true })
  })

  it('sameInterval() treats twelve months and a year as different intervals', () => {
    expect(sameInterval({ interval: 'month', intervalCount: 12 }, { interval: 'year', intervalCount: 1 })).toBe(false)
  })
})

describe('a scheduled update', () => {
  const nothing: ScheduledUpdate = { plan: null, price: null, quantity: null, anchor: null, prorate: true }
  const before = aSubscription({ price: euros(4_200n), quantity: 3 })

  it.each([
    ['a quantity', { quantity: 5 }, { ...aPlan(), price: euros(4_200n), quantity: 5 }],
    ['a price', { price: euros(1n) }, { ...aPlan(), price: euros(1n), quantity: 3 }],
    ['a plan', { plan: aBetterPlan() }, { ...aBetterPlan(), quantity: 3 }],
    [
      'a plan and a price',
      { plan: aBetterPlan(), price: euros(1n) },
      { ...aBetterPlan(), price: euros(1n), quantity: 3 },
    ],
    ['an anchor', { anchor: 'renewal' }, { ...aPlan(), price: euros(4_200n), quantity: 3 }],
  ] as [string, Partial<ScheduledUpdate>, object][])(
    'a scheduled update that sets %s leaves the other terms unchanged',
    (_, names, expected) => {
      expect(scheduledTerms(before, { ...nothing, ...names })).toEqual(expected)
    },
  )
})
