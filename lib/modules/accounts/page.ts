import type { Amount } from '../../kernel/money.ts'
import type { AdminOrder } from '../orders/page.ts'

/** A storefront in the list of the admin area. */
export interface StorefrontRow {
  readonly id: string
  readonly name: string
  readonly merchant: string
  readonly createdAt: string
  readonly testUrl: string
  readonly liveUrl: string
}

/** Around every page of one storefront and mode. */
export interface StorefrontFrame {
  readonly name: string
  readonly merchant: string
  readonly mode: 'test' | 'live'
  /** The beginning of the path of all its pages. */
  readonly path: string
  /** The same storefront in the other mode. */
  readonly otherModeUrl: string
  /** The moment on its clock: in test mode it may be ahead of real time. */
  readonly now: string
  /** Those that the reader may see. */
  readonly sections: readonly StorefrontSection[]
}

export type StorefrontSection =
  | 'overview'
  | 'orders'
  | 'subscriptions'
  | 'customers'
  | 'deliveries'
  | 'emails'
  | 'brand'
  | 'clock'

/** What a storefront and mode come to. */
export interface StorefrontOverview {
  /** What is owed to the merchant, by currency. */
  readonly balances: readonly Amount[]
  /** What active subscriptions renew at in a month, by currency. */
  readonly monthlyRecurring: readonly Amount[]
  readonly active: number
  readonly inTrial: number
  readonly canceled: number
  /** Subscriptions with a failed payment that is tried again. */
  readonly inRecovery: number
  readonly deliveries: { readonly pending: number; readonly failed: number }
  readonly orders: readonly AdminOrder[]
}

/** What a search found: links to its pages. */
export interface SearchPage {
  readonly query: string
  readonly found: readonly {
    readonly url: string
    readonly label: string
    readonly storefront: string
    readonly mode: 'test' | 'live'
  }[]
}

/** One page of a list, with the pages beside it. */
export interface AdminList<Row> {
  readonly rows: readonly Row[]
  readonly newerUrl: string | null
  readonly olderUrl: string | null
}
