import type { KeyScope } from '../../kernel/key-scope.ts'
import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { HomeFigures } from '../figures/page.ts'
import type { AdminOrderRow } from '../orders/page.ts'

/** A storefront in the list of the admin area. */
interface StorefrontRow {
  readonly id: string
  readonly name: string
  readonly merchant: string
  /** The page that creates another storefront; null if the reader has no permission. */
  readonly newUrl: string | null
  readonly isSuspended: boolean
  readonly isOnHold: boolean
  readonly createdAt: string
  readonly testUrl: string
  readonly liveUrl: string
}

export type StorefrontList = AdminList<StorefrontRow> & {
  readonly newUrl: string | null
  /** What the list is narrowed to; null for a reader who does not narrow it. */
  readonly name: string | null
}

/** The form of a new storefront. */
export interface NewStorefrontPage {
  /** The merchant of the storefront; null if the merchant is new too. */
  readonly merchant: { readonly id: string; readonly name: string } | null
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

/** That a storefront sells nothing new for now. */
interface Suspended {
  readonly since: string
  /** As the service's staff wrote it. */
  readonly reason: string
}

/** Whether a storefront is suspended, and the form that changes it. */
export interface SuspensionPage {
  readonly suspension: Suspended | null
  readonly reason: string
  readonly problem: string | null
  /** Active subscriptions of each mode that a suspension stops, and their monthly renewal amount. */
  readonly renewals: Readonly<Record<'test' | 'live', { readonly active: number; readonly monthly: readonly Amount[] }>>
  readonly formKey: string
  /** Whether the storefront is on hold: it can then be neither suspended nor resumed. */
  readonly isOnHold: boolean
}

/** Links of the sidebar, each with the number of things that wait there. */
export type NavigationLinks<Section extends string> = readonly {
  readonly section: Section
  readonly url: string
  readonly count: number
  /** The addresses of further pages that are tabs of the page. */
  readonly tabs?: readonly string[]
}[]

export type NavigationGroup = 'home' | 'sales' | 'products' | 'finance' | 'developers' | 'settings'

/** Data for the frame of every page behind the log-in. */
export interface AdminFrame {
  /** The signed-in person. */
  readonly email: string
  /** The storefront of the page; on a page without a storefront, the one that the reader opened last. */
  readonly storefront: StorefrontFrame | null
  /** The links of the service's own staff; null for members of merchants. */
  readonly staff: NavigationLinks<StaffSection> | null
  /** The newest storefronts that the reader may open, in the mode of the page. */
  readonly storefronts: readonly { readonly name: string; readonly url: string }[]
  readonly hasMoreStorefronts: boolean
}

/** Data about the storefront and mode of a page. */
export interface StorefrontFrame {
  readonly name: string
  readonly merchant: string
  readonly mode: 'test' | 'live'
  /** The beginning of the path of all its pages. */
  readonly path: string
  /** The moment on its clock: in test mode it may be ahead of real time. */
  readonly now: string
  /** Whether the reader may advance its clock. */
  readonly mayAdvance: boolean
  /** Null where the service's staff has not suspended it. */
  readonly suspension: Suspended | null
  /** Since when it is on hold, as it moves to another installation; null where it is not. */
  readonly heldAt: string | null
  /** The pages below its path that live mode lacks. */
  readonly testOnly: readonly string[]
  /** The pages that the reader may open. */
  readonly groups: readonly { readonly group: NavigationGroup; readonly links: NavigationLinks<StorefrontSection> }[]
}

export type StaffSection =
  | 'overview'
  | 'storefronts'
  | 'reviews'
  | 'disputes'
  | 'tax-returns'
  | 'thresholds'
  | 'work'
  | 'invariants'
  | 'audit'
  | 'payout-files'
  | 'registrations'
  | 'provider-accounts'
  | 'personal-data'
  | 'people'

export type StorefrontSection =
  | 'overview'
  | 'orders'
  | 'subscriptions'
  | 'customers'
  | 'past-due'
  | 'catalog'
  | 'checkouts'
  | 'payment-links'
  | 'chargebacks'
  | 'balance'
  | 'payouts'
  | 'tax-report'
  | 'endpoints'
  | 'events'
  | 'emails'
  | 'keys'
  | 'members'
  | 'brand'
  | 'portal'
  | 'payout-account'
  | 'audit-log'
  | 'clock'
  | 'suspension'

/** The totals of a storefront and mode. */
export interface StorefrontOverview {
  /** What waits for the reader. */
  readonly attention: readonly Attention[]
  /** The steps before the first sale; empty after it. */
  readonly setUp: readonly SetUpStep[]
  /** The balance owed to the merchant, by currency; null for readers without the permission. */
  readonly balances: readonly Amount[] | null
  readonly figures: HomeFigures
  readonly orders: readonly AdminOrderRow[]
}

/** An item that waits for the reader, and the page that handles the item. */
export interface Attention {
  readonly what: 'pastDue' | 'disputes' | 'deliveries'
  readonly count: number
  readonly url: string
}

/** A step before the first sale. */
export interface SetUpStep {
  readonly what: 'product' | 'brand' | 'key' | 'endpoint' | 'bankAccount'
  readonly isDone: boolean
  readonly url: string
}

/** The groups of search results, in the order of the page. */
export const foundGroups = ['ids', 'customers', 'orders', 'products'] as const
export type FoundGroup = (typeof foundGroups)[number]

/** Search results, as links to pages. */
export interface SearchPage {
  readonly query: string
  /** Whether the query is too short for names. */
  readonly isTooShort: boolean
  readonly found: readonly {
    readonly url: string
    readonly label: string
    /** A second detail, such as the email address of a customer. */
    readonly detail: string | null
    readonly group: FoundGroup
    readonly storefront: string
    readonly mode: 'test' | 'live'
  }[]
}

/** An API key in the admin area, which never shows a key twice. Moments are ISO 8601 in UTC. */
export interface KeyRow {
  readonly id: string
  /** The key's first 8 characters. */
  readonly hint: string
  /** What a person calls the key. */
  readonly name: string | null
  readonly scope: KeyScope
  /** Whether the reader's role includes every right of the key, so that the reader may replace it. */
  readonly mayReplace: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** Whether it is expired or revoked. */
  readonly isOver: boolean
}

export interface KeysPage {
  readonly keys: readonly KeyRow[]
  /** The URL of the export; absent if the reader may not export. */
  readonly exportUrl?: string
  /** A key that was just issued. */
  readonly issued: string | null
  /** The submitted values and their problems. */
  readonly typed: Readonly<Record<string, string>>
  /** The scopes that the reader may issue, the widest first. */
  readonly scopes: readonly KeyScope[]
  readonly expiresIn: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Whether a key is issued or replaced with a code of the second factor. */
  readonly needsCode: boolean
  /** Whether the storefront is on hold: a key can be revoked then, but none is issued or replaced. */
  readonly isOnHold: boolean
}
