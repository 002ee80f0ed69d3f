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
  /** Since when it waits. */
  submittedAt: string
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
  /** How many wait, also beyond the page, up to 1,000. */
  readonly count: number
  readonly exportUrl: string
}

/** The history in live mode of the merchant whose plan or product is reviewed. */
export interface MerchantHistory {
  /** Since when the merchant is here. */
  readonly since: string
  /** The newest decisions. */
  readonly decisions: readonly {
    readonly id: string
    readonly name: string
    readonly at: string
    /** Null if it was approved. */
    readonly rejectionReason: string | null
  }[]
  /** How many of the newest 100 disputes there were, and how many of these took money from the merchant. */
  readonly disputes: { readonly count: number; readonly lost: number }
  /** Net sales of the last 365 days, by currency, up to the last closed day. */
  readonly sales: readonly { readonly amount: Amount; readonly orders: number }[]
}

export interface ReviewPage extends ReviewRow {
  merchant: string
  history: MerchantHistory
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
