import { Refusal, refusals } from '../../../kernel/refusal.ts'
import type { Product } from './product.ts'

export function startReview(product: Product): Product {
  if (product.review !== 'pending') throw new Refusal('product_not_reviewable')
  return { ...product, review: 'reviewing' }
}

/**
 * Approves an item or its update, but rejects a change of the interval if the plan was ever used. The approval repeats
 * this check, because a buyer can subscribe after the update was submitted.
 */
export function approve(product: Product, { everUsed }: { everUsed: boolean }): Product {
  if (product.review === null) throw new Refusal('product_not_reviewable')
  const terms = product.pendingTerms ?? product.terms
  if (everUsed && terms.billingInterval?.interval !== product.terms.billingInterval?.interval)
    return reject(product, refusals.plan_in_use.message)
  return {
    ...product,
    status: 'active',
    terms,
    pendingTerms: null,
    review: null,
    submittedAt: null,
    rejectionReason: null,
  }
}

/** Discards the pending update. An item that was never approved becomes `rejected`. */
export function reject(product: Product, reason: string): Product {
  if (product.review === null) throw new Refusal('product_not_reviewable')
  const status = product.status === 'active' ? 'active' : 'rejected'
  return { ...product, status, pendingTerms: null, review: null, submittedAt: null, rejectionReason: reason }
}
