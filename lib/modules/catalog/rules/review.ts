import { Refusal, refusals } from '../../../kernel/refusal.ts'
import type { Product } from './product.ts'

/** From here on, the merchant's further updates are refused. */
export function startReview(product: Product): Product {
  if (product.review !== 'pending') throw new Refusal('product_not_reviewable')
  return { ...product, review: 'reviewing' }
}

/**
 * Approves the item with its pending update. A changed plan interval is rejected if the plan has a subscription by now:
 * its first buyer may have come after the update was submitted.
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

/** Drops the update. An item that was never approved becomes `rejected`. */
export function reject(product: Product, reason: string): Product {
  if (product.review === null) throw new Refusal('product_not_reviewable')
  const status = product.status === 'active' ? 'active' : 'rejected'
  return { ...product, status, pendingTerms: null, review: null, submittedAt: null, rejectionReason: reason }
}
