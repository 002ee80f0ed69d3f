import type { Amount } from '../../kernel/money.ts'

/** An item of the review queue, as an operator sees it. Moments are ISO 8601 in UTC. */
export interface ReviewRow {
  id: string
  kind: 'newPlan' | 'newProduct' | 'planUpdate' | 'productUpdate'
  name: string
  storefront: { id: string; name: string }
  state: 'pending' | 'reviewing'
  createdAt: string
}

/** The values of an item that an operator compares. */
export interface ReviewValues {
  name: string
  description: string
  price: Amount
  /** Null for what is sold once. */
  interval: { unit: 'day' | 'week' | 'month' | 'year'; count: number } | null
  productType: 'saas' | 'ebook'
}

export interface ReviewPage extends ReviewRow {
  merchant: string
  taxBehavior: 'exclusive' | 'inclusive'
  /** What is on sale now; null for a new item. */
  live: ReviewValues | null
  proposed: ReviewValues
}
