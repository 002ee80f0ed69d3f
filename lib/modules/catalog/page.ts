import type { z } from 'zod'
import type { Amount } from '../../kernel/money.ts'
import type { PlanShape, ProductShape } from './contract.ts'

/** Times are ISO 8601 in UTC. */
export interface ReviewRow {
  id: string
  kind: 'newPlan' | 'newProduct' | 'planUpdate' | 'productUpdate'
  name: string
  storefront: { id: string; name: string }
  state: 'pending' | 'reviewing'
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
  readonly count: number
  readonly exportUrl: string
}

export interface MerchantHistory {
  readonly since: string
  readonly decisions: readonly {
    readonly id: string
    readonly name: string
    readonly at: string
    readonly rejectionReason: string | null
  }[]
  /** `count` is the number of disputes; at most the newest 100 are counted. `lost` is the number of counted disputes that the merchant lost. */
  readonly disputes: { readonly count: number; readonly lost: number }
  /** The net sales by currency in the 365 days up to the last day with complete figures. */
  readonly sales: readonly { readonly amount: Amount; readonly orders: number }[]
}

export interface ReviewPage extends ReviewRow {
  merchant: string
  history: MerchantHistory
  taxBehavior: 'exclusive' | 'inclusive'
  live: ReviewValues | null
  proposed: ReviewValues
  /** The version of `proposed`. If a decision is based on an outdated version, the form is shown again. */
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
  /** The version of the current values; empty for a new item. If a change is based on an outdated version, the form is shown again. */
  readonly terms: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface CatalogPage {
  readonly item: CatalogItem
  readonly rejectionReason: string | null
  readonly form: CatalogForm | null
}
