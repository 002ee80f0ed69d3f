import { describe, expect, it } from 'vitest'
import { aBetterPlan, aSubscription, euros } from '../examples.ts'
import { changedTerms } from './change-request.ts'

const nothing = { plan: null, price: null, quantity: null }
const terms = { ...aBetterPlan(), quantity: 3 }

describe('the terms after a change', () => {
  it('a change preserves the terms that its fields do not set', () => {
    expect(changedTerms(terms, nothing)).toEqual(terms)
    expect(changedTerms(terms, { ...nothing, quantity: 7 })).toEqual({ ...terms, quantity: 7 })
    expect(changedTerms(terms, { ...nothing, price: euros(1n) })).toEqual({ ...terms, price: euros(1n) })
  })

  it('a change of the plan uses the plan’s price unless the change sets a price', () => {
    const plan = aBetterPlan({ planId: 'subscription_plan_3', price: euros(500n) })
    const custom = { ...terms, price: euros(4_200n) }
    expect(changedTerms(custom, { ...nothing, plan })).toEqual({ ...plan, quantity: 3 })
    expect(changedTerms(custom, { ...nothing, plan, price: euros(450n) })).toMatchObject({ price: euros(450n) })
  })

  it('the changed terms of a subscription do not contain its status', () => {
    expect(changedTerms(aSubscription(), nothing)).not.toHaveProperty('status')
  })

  it('a change is refused if the price of a period would exceed 99,999,999.99', () => {
    const dearest = { ...nothing, price: euros(9_999_999_999n) }
    expect(changedTerms({ ...terms, quantity: 1 }, dearest).price.minor).toBe(9_999_999_999n)
    const tooMuch = (field: string) =>
      expect.objectContaining({ code: 'validation_failed', on: { [field]: [expect.stringContaining('99999999.99')] } })
    expect(() => changedTerms({ ...terms, quantity: 2 }, dearest)).toThrow(tooMuch('price'))
    expect(() => changedTerms(terms, { ...nothing, price: euros(10_000_000_000n), quantity: 1 })).toThrow(
      tooMuch('quantity'),
    )
  })
})
