import { describe, expect, it } from 'vitest'
import type { Product, Review, Terms } from './product.ts'
import { approve, reject, startReview } from './review.ts'

const terms = { name: 'Pro' } as Terms
const changed = { name: 'Pro 2' } as Terms
const item = (status: Product['status'], review: Review, pendingTerms: Terms | null = null) =>
  ({ status, review, terms, pendingTerms, rejectionReason: null }) as Product
const nothingToReview = expect.objectContaining({ code: 'product_not_reviewable' })

describe('a review', () => {
  it.each(['pending', 'reviewing'] as const)(
    'that is %s ends with an approval: on sale, with the update that waits',
    (review) => {
      const approved = { status: 'active', review: null, pendingTerms: null, rejectionReason: null }
      expect(approve(item('pending', review))).toMatchObject({ ...approved, terms })
      expect(approve(item('pending', review, changed))).toMatchObject({ ...approved, terms: changed })
      expect(approve(item('active', review, changed))).toMatchObject({ ...approved, terms: changed })
    },
  )

  it('forgets the reason of an earlier rejection when it approves', () => {
    expect(approve({ ...item('pending', 'pending'), rejectionReason: 'No.' }).rejectionReason).toBeNull()
  })

  it.each([
    ['pending', 'rejected'],
    ['active', 'active'],
  ] as const)('that rejects drops the update; an item that was %s is %s', (before, after) => {
    const next = reject(item(before, 'reviewing', changed), 'Too vague.')
    expect(next).toMatchObject({
      status: after,
      review: null,
      pendingTerms: null,
      terms,
      rejectionReason: 'Too vague.',
    })
  })

  it('starts once', () => {
    const reviewing = startReview(item('pending', 'pending'))
    expect(reviewing.review).toBe('reviewing')
    expect(() => startReview(reviewing)).toThrow(nothingToReview)
  })

  it('of nothing is refused', () => {
    for (const decide of [startReview, approve, (product: Product) => reject(product, '')]) {
      expect(() => decide(item('active', null))).toThrow(nothingToReview)
    }
  })
})
