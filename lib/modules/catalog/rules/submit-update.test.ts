import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Product, Terms } from './product.ts'
import { approve } from './review.ts'
import { type Changes, differingFields, submitUpdate } from './submit-update.ts'

const terms: Terms = {
  name: 'Pro',
  description: 'Everything.',
  price: { minor: 1_000n, currency: 'EUR' },
  productType: 'saas',
  billingInterval: { interval: 'month', intervalCount: 1 },
}
const plan = (differences: Partial<Product> = {}) =>
  ({ kind: 'subscription_plan', status: 'active', review: null, terms, pendingTerms: null, ...differences }) as Product
const now = new Date('2026-11-29T12:00:00Z')
const limits = { testmode: true, everUsed: false, now }

const changes: fc.Arbitrary<Changes> = fc.record(
  {
    name: fc.constantFrom('Pro', 'Pro 2'),
    description: fc.constantFrom('Everything.', 'Most.'),
    price: fc.constantFrom(1_000n, 1_001n).map((minor) => ({ minor, currency: 'EUR' as const })),
    productType: fc.constantFrom('saas' as const, 'ebook' as const),
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    intervalCount: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: [] },
)

describe('submitted update', () => {
  it.each<[string, Partial<Product>, Changes, Date | null]>([
    ['an update of a plan on sale is queued at the current time', {}, { name: 'B' }, now],
    [
      'a second update keeps the queue time of the first update',
      { review: 'pending', submittedAt: new Date(0) },
      { name: 'B' },
      new Date(0),
    ],
    ['a withdrawn update has no queue time', { review: 'pending', submittedAt: new Date(0) }, {}, null],
    ['a rejected plan is queued at the current time', { status: 'rejected', submittedAt: null }, {}, now],
  ])('submitUpdate() sets the time at which a plan enters the review queue: %s', (_, before, change, submittedAt) => {
    expect(submitUpdate(plan({ submittedAt: null, ...before }), change, limits).submittedAt).toEqual(submittedAt)
  })

  it('an update of a plan is pending if a value changes, and does not change the live terms', () => {
    fc.assert(
      fc.property(changes, (change) => {
        const next = submitUpdate(plan(), change, limits)
        expect(next.terms).toBe(terms)
        const differing = next.pendingTerms ? differingFields(terms, next.pendingTerms) : []
        expect(next.pendingTerms !== null).toBe(differing.length > 0)
        expect(next.review).toBe(next.pendingTerms ? 'pending' : null)
      }),
    )
  })

  it('an identical second update of a plan changes nothing, and a different second update replaces the first', () => {
    fc.assert(
      fc.property(changes, changes, (first, second) => {
        const once = submitUpdate(plan(), second, limits)
        expect(submitUpdate(once, second, limits)).toEqual(once)
        expect(submitUpdate(submitUpdate(plan(), first, limits), second, limits)).toEqual(once)
      }),
    )
  })

  it('an update of a plan with the current values withdraws the pending update', () => {
    const waiting = submitUpdate(plan(), { name: 'Pro 2' }, limits)
    expect(submitUpdate(waiting, { name: 'Pro' }, limits)).toMatchObject({ pendingTerms: null, review: null })
  })

  it('approving an update of a plan applies the requested values, with the count 1 for a yearly interval', () => {
    const price = { minor: 1_500n, currency: 'EUR' as const }
    expect(approve(submitUpdate(plan(), { price, interval: 'year', intervalCount: 7 }, limits), limits).terms).toEqual({
      ...terms,
      price,
      billingInterval: { interval: 'year', intervalCount: 1 },
    })
  })

  it('an update of a rejected plan makes the plan pending, even if no value changes', () => {
    expect(submitUpdate(plan({ status: 'rejected' }), {}, limits)).toMatchObject({
      status: 'pending',
      review: 'pending',
    })
    expect(submitUpdate(plan({ status: 'pending', review: 'pending' }), { name: 'B' }, limits)).toMatchObject({
      status: 'pending',
      review: 'pending',
      pendingTerms: { name: 'B' },
    })
  })

  it('an update of a plan is refused during a review', () => {
    expect(() => submitUpdate(plan({ review: 'reviewing' }), {}, limits)).toThrow(
      expect.objectContaining({ code: 'update_under_review' }),
    )
  })

  it('an update of a plan with a subscription can change `intervalCount`, but not `interval`', () => {
    const used = { testmode: true, everUsed: true, now }
    expect(submitUpdate(plan(), { intervalCount: 3 }, used).pendingTerms?.billingInterval).toEqual({
      interval: 'month',
      intervalCount: 3,
    })
    expect(() => submitUpdate(plan(), { interval: 'year' }, used)).toThrow(
      expect.objectContaining({ code: 'plan_in_use' }),
    )
  })

  it('an interval update cannot exceed the maximum count of the new interval', () => {
    const tooMany = expect.objectContaining({ code: 'validation_failed', on: { intervalCount: [expect.any(String)] } })
    expect(() => submitUpdate(plan(), { intervalCount: 13 }, limits)).toThrow(tooMany)
    const yearsWorthOfDays = plan({ terms: { ...terms, billingInterval: { interval: 'day', intervalCount: 365 } } })
    expect(() => submitUpdate(yearsWorthOfDays, { interval: 'week' }, limits)).toThrow(tooMany)
    expect(
      submitUpdate(yearsWorthOfDays, { interval: 'year' }, limits).pendingTerms?.billingInterval?.intervalCount,
    ).toBe(1)
  })

  it('an update of a one-off product has no billing interval', () => {
    const product = plan({ kind: 'one_off_product', terms: { ...terms, billingInterval: null } })
    expect(submitUpdate(product, { interval: 'month', intervalCount: 2 }, limits).pendingTerms).toBeNull()
  })
})
