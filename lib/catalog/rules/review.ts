import { Refusal } from '../../kernel/refusal.ts'
import type { Product } from './product.ts'

/** An operator begins: from here on the merchant's further updates are refused. */
export function startReview(product: Product): Product {
  if (product.review !== 'pending') throw new Refusal('product_not_reviewable')
  return { ...product, review: 'reviewing' }
}

/** The item goes on sale, with the update that waits. */
export function approve(product: Product): Product {
  if (product.review === null) throw new Refusal('product_not_reviewable')
  const terms = product.pendingTerms ?? product.terms
  return { ...product, status: 'active', terms, pendingTerms: null, review: null, rejectionReason: null }
}

/** The update is dropped, and an item that was never approved becomes `rejected`. The reason is kept for the merchant. */
export function reject(product: Product, reason: string): Product {
  if (product.review === null) throw new Refusal('product_not_reviewable')
  const status = product.status === 'active' ? 'active' : 'rejected'
  return { ...product, status, pendingTerms: null, review: null, rejectionReason: reason }
}
