import type { KeyScope } from '../../kernel/key-scope.ts'
import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { HomeFigures } from '../figures/page.ts'
import type { AdminOrderRow } from '../orders/page.ts'
import type { TimelineEvent } from '../subscriptions/page.ts'

interface StorefrontRow {
  readonly id: string
  readonly name: string
  readonly merchant: string
  readonly newUrl: string | null
  readonly isSuspended: boolean
  readonly isOnHold: boolean
  readonly createdAt: string
  readonly testUrl: string
  readonly liveUrl: string
}

export type StorefrontList = AdminList<StorefrontRow> & {
  readonly newUrl: string | null
  readonly name: string | null
}

export interface NewStorefrontPage {
  /** Null if the form creates a new merchant together with the storefront. */
  readonly merchant: { readonly id: string; readonly name: string } | null
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

interface Suspended {
  readonly since: string
  /** The reason that staff gave for the suspension. */
  readonly reason: string
}

export interface SuspensionPage {
  readonly suspension: Suspended | null
  readonly reason: string
  readonly problem: string | null
  /** For each mode, the number of active subscriptions that a suspension would stop, and their renewal amounts per month. */
  readonly renewals: Readonly<Record<'test' | 'live', { readonly active: number; readonly monthly: readonly Amount[] }>>
  readonly formKey: string
  /** A storefront on hold can be neither suspended nor resumed. */
  readonly isOnHold: boolean
}

/** `count` is the number of items that need attention. */
export type NavigationLinks<Section extends string> = readonly {
  readonly section: Section
  readonly url: string
  readonly count: number
  readonly tabs?: readonly string[]
}[]

export type NavigationGroup = 'home' | 'sales' | 'products' | 'finance' | 'developers' | 'settings'

export interface AdminFrame {
  readonly email: string
  /** The storefront of the page. On a page without a storefront, the storefront that the reader opened last. */
  readonly storefront: StorefrontFrame | null
  readonly staff: NavigationLinks<StaffSection> | null
  /** Links to the newest storefronts that the reader may open, in the mode of the page. */
  readonly storefronts: readonly { readonly name: string; readonly url: string }[]
  readonly hasMoreStorefronts: boolean
  readonly showsIcons: boolean
}

export interface StorefrontFrame {
  readonly name: string
  readonly merchant: string
  readonly mode: 'test' | 'live'
  readonly path: string
  /** The time on the storefront's clock, which in test mode can be ahead of real time. */
  readonly now: string
  readonly mayAdvance: boolean
  readonly suspension: Suspended | null
  /** The start of the hold for a move to another installation; null if the storefront is not on hold. */
  readonly heldAt: string | null
  /** Paths of pages that exist only in test mode, relative to `path`. */
  readonly testOnly: readonly string[]
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

export interface StorefrontOverview {
  readonly attention: readonly Attention[]
  /** The setup steps before the first sale; empty after the first sale. */
  readonly setUp: readonly SetUpStep[]
  /** The amounts owed to the merchant, by currency; null if the reader's role does not include the balance. */
  readonly balances: readonly Amount[] | null
  readonly figures: HomeFigures
  readonly orders: readonly AdminOrderRow[]
  readonly activity: readonly Activity[]
  readonly eventsUrl: string | null
}

/**
 * The overview lists these events and the events of subscriptions. It omits the event of a paid checkout, because it
 * lists the event of the paid order.
 */
export const activityEvents = [
  'order.paid',
  'order.canceled',
  'order.payment_failed',
  'order.chargeback_received',
  'order.chargeback_reversed',
  'refund.completed',
  'refund.failed',
  'refund.canceled',
  'checkout.failed',
  'checkout.canceled',
  'checkout.expired',
  'one_off_product.update_submitted',
  'one_off_product.update_approved',
  'one_off_product.update_rejected',
  'one_off_product.archived',
  'one_off_product.unarchived',
  'subscription_plan.update_submitted',
  'subscription_plan.update_approved',
  'subscription_plan.update_rejected',
  'subscription_plan.archived',
  'subscription_plan.unarchived',
] as const

export type ActivityEvent = (typeof activityEvents)[number] | TimelineEvent

export interface Activity {
  readonly id: string
  readonly at: string
  readonly event: ActivityEvent
  /** The total of an order or refund, or the disputed amount. All amounts include tax. */
  readonly amount: Amount | null
  readonly title: string | null
  /** The name of the customer; null for a catalog event and after the customer is erased. */
  readonly customer: string | null
  readonly url: string | null
}

export interface Attention {
  readonly what: 'pastDue' | 'disputes' | 'deliveries'
  readonly count: number
  readonly url: string
}

export interface SetUpStep {
  readonly what: 'product' | 'brand' | 'key' | 'endpoint' | 'bankAccount'
  readonly isDone: boolean
  readonly url: string
}

export const foundGroups = ['ids', 'customers', 'orders', 'products'] as const
export type FoundGroup = (typeof foundGroups)[number]

export interface SearchPage {
  readonly query: string
  readonly isTooShort: boolean
  readonly found: readonly {
    readonly url: string
    readonly label: string
    /** Additional text about the search result, such as the email address of a customer. */
    readonly detail: string | null
    readonly group: FoundGroup
    readonly storefront: string
    readonly mode: 'test' | 'live'
  }[]
}

/** Times are ISO 8601 in UTC. */
export interface KeyRow {
  readonly id: string
  readonly hint: string
  readonly name: string | null
  readonly scope: KeyScope
  /** True if the reader's role permits everything that the key can do. */
  readonly mayReplace: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly isOver: boolean
}

export interface KeysPage {
  readonly keys: readonly KeyRow[]
  /** Absent if the reader's role does not permit exports. */
  readonly exportUrl?: string
  /** The secret of a new key, which the page shows once. */
  readonly issued: string | null
  readonly typed: Readonly<Record<string, string>>
  readonly scopes: readonly KeyScope[]
  readonly expiresIn: string
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Whether issuing or replacing a key requires a code of the second factor. */
  readonly needsCode: boolean
  /** While the storefront is on hold, a key can be revoked, but not issued or replaced. */
  readonly isOnHold: boolean
}
