import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { Money } from '../../../kernel/money.ts'

export type ProductKind = 'subscription_plan' | 'one_off_product'
export type ProductType = 'saas' | 'ebook'
type ProductStatus = 'active' | 'pending' | 'rejected'
/** The review status of a new item, or of an update; null when there is nothing to review. */
export type Review = 'pending' | 'reviewing' | null

/** `billingInterval` is null on a one-off product. */
export interface Terms {
  readonly name: string
  readonly description: string
  readonly price: Money
  readonly productType: ProductType
  readonly billingInterval: BillingInterval | null
}

export interface Product {
  readonly id: string
  readonly kind: ProductKind
  readonly testmode: boolean
  readonly terms: Terms
  readonly taxBehavior: 'exclusive' | 'inclusive'
  readonly status: ProductStatus
  readonly review: Review
  /** Since when the item waits for the review; null if it does not. A replaced update keeps its place in the queue. */
  readonly submittedAt: Date | null
  /** The terms after the pending update; null without a pending update. */
  readonly pendingTerms: Terms | null
  readonly rejectionReason: string | null
  readonly archivedAt: Date | null
  readonly createdAt: Date
}

/** Only `active` items that are not archived can be put in a checkout. */
export const isOnSale = (product: Product): boolean => product.status === 'active' && product.archivedAt === null
