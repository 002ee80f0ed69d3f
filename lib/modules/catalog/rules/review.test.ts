import { describe, expect, it } from 'vitest'
import { refusals } from '../../../kernel/refusal.ts'
import type { Product, Review, Terms } from './product.ts'
import { approve, reject, startReview } from './review.ts'

const terms = { name: 'Pro' } as Terms
const changed = { name: 'Pro 2' } as Terms
const item = (status: Product['status'], review: Review, pendingTerms: Terms | null = null) =>
  ({ status, review, terms, pendingTerms, rejectionReason: null }) as Product
const unused = { everUsed: false }
const nothingToReview = expect.objectContaining({ code: 'product_not_reviewable' })

describe('review', () => {
  it.each(['pending', 'reviewing'] as const)(
    'approving a review in the state %s puts the plan or product on sale and applies the pending update',
    (review) => {
      const approved = { status: 'active', review: null, pendingTerms: null, rejectionReason: null }
      expect(approve(item('pending', review), unused)).toMatchObject({ ...approved, terms })
      expect(approve(item('pending', review, changed), unused)).toMatchObject({ ...approved, terms: changed })
      expect(approve(item('active', review, changed), unused)).toMatchObject({ ...approved, terms: changed })
    },
  )

  it('an approval clears the reason of an earlier rejection', () => {
    expect(approve({ ...item('pending', 'pending'), rejectionReason: 'No.' }, unused).rejectionReason).toBeNull()
  })

  it.each([
    ['pending', 'rejected'],
    ['active', 'active'],
  ] as const)('a rejection discards the update, and a product with status %s gets status %s', (before, after) => {
    const next = reject(item(before, 'reviewing', changed), 'Too vague.')
    expect(next).toMatchObject({
      status: after,
      review: null,
      pendingTerms: null,
      terms,
      rejectionReason: 'Too vague.',
    })
  })

  describe('interval update', () => {
    const monthly = { ...terms, billingInterval: { interval: 'month', intervalCount: 1 } } as Terms
    const update = (to: Partial<Terms>): Product => ({
      ...item('active', 'pending', { ...monthly, ...to }),
      terms: monthly,
    })
    const yearly = update({ name: 'Pro 2', billingInterval: { interval: 'year', intervalCount: 1 } })

    it('an interval update is approved while the plan has no subscription', () => {
      expect(approve(yearly, { everUsed: false })).toMatchObject({ terms: yearly.pendingTerms, rejectionReason: null })
    })

    it('an interval update of a plan with a subscription is rejected, together with its other changes', () => {
      expect(approve(yearly, { everUsed: true })).toEqual({
        ...yearly,
        review: null,
        submittedAt: null,
        pendingTerms: null,
        rejectionReason: refusals.plan_in_use.message,
      })
    })

    it('an update of the interval count, the name, or the price is approved even if the plan has a subscription', () => {
      for (const to of [
        { billingInterval: { interval: 'month', intervalCount: 3 } },
        { name: 'Pro 2' },
        { price: { minor: 9_900n, currency: 'EUR' } },
      ] as Partial<Terms>[])
        expect(approve(update(to), { everUsed: true })).toMatchObject({ terms: to, rejectionReason: null })
    })
  })

  it('a review cannot be started twice', () => {
    const reviewing = startReview(item('pending', 'pending'))
    expect(reviewing.review).toBe('reviewing')
    expect(() => startReview(reviewing)).toThrow(nothingToReview)
  })

  it('an approval or rejection is refused if the plan or product has no pending review', () => {
    const decisions = [
      startReview,
      (product: Product) => approve(product, unused),
      (product: Product) => reject(product, ''),
    ]
    for (const decide of decisions) {
      expect(() => decide(item('active', null))).toThrow(nothingToReview)
    }
  })
})
