import type { BillingInterval } from '../../../kernel/calendar.ts'
import type { Money } from '../../../kernel/money.ts'

export type ProductKind = 'subscription_plan' | 'one_off_product'
export type ProductType = 'saas' | 'ebook'
type ProductStatus = 'active' | 'pending' | 'rejected'
export type Review = 'pending' | 'reviewing' | null

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
  /**
   * The time at which the item entered the review queue; null if it is not in the queue. An update that replaces a
   * pending update preserves this time.
   */
  readonly submittedAt: Date | null
  /** The terms that an approval would set; null if no update is pending. */
  readonly pendingTerms: Terms | null
  readonly rejectionReason: string | null
  readonly archivedAt: Date | null
  readonly createdAt: Date
}

export const isOnSale = (product: Product): boolean => product.status === 'active' && product.archivedAt === null
