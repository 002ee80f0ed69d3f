import type { z } from 'zod'
import type { Amount } from '../../kernel/money.ts'
import type { PlanShape, ProductShape } from './contract.ts'

/** An item of the review queue, as an operator sees it. Moments are ISO 8601 in UTC. */
export interface ReviewRow {
  id: string
  kind: 'newPlan' | 'newProduct' | 'planUpdate' | 'productUpdate'
  name: string
  storefront: { id: string; name: string }
  state: 'pending' | 'reviewing'
  createdAt: string
}

export interface ReviewValues {
  name: string
  description: string
  price: Amount
  interval: { unit: 'day' | 'week' | 'month' | 'year'; count: number } | null
  productType: 'saas' | 'ebook'
}

export interface ReviewsPage {
  readonly rows: readonly ReviewRow[]
  /** The number of waiting items, including items beyond the page. */
  readonly count: number
  readonly exportUrl: string
}

export interface ReviewPage extends ReviewRow {
  merchant: string
  taxBehavior: 'exclusive' | 'inclusive'
  live: ReviewValues | null
  proposed: ReviewValues
  /** The version of the proposed values. A decision on another version shows the form again. */
  termsVersion: string
  reason: string
  problems: Readonly<Record<string, string>>
}

export type CatalogItem = z.infer<typeof PlanShape> | z.infer<typeof ProductShape>

export type CatalogValues = Readonly<
  Record<'name' | 'description' | 'basePrice.value' | 'productType' | 'interval' | 'intervalCount', string>
>

export const catalogFields = [
  'name',
  'description',
  'basePrice.value',
  'productType',
  'interval',
  'intervalCount',
] as const satisfies readonly (keyof CatalogValues)[]

export interface CatalogForm {
  readonly kind: CatalogItem['resource']
  readonly testmode: boolean
  readonly values: CatalogValues & { readonly taxBehavior: string }
  /** The version of the current values; empty for a new item. A change of another version shows the form again. */
  readonly terms: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface CatalogPage {
  readonly item: CatalogItem
  readonly rejectionReason: string | null
  /** Null if the reader has no permission to change the item. */
  readonly form: CatalogForm | null
}
