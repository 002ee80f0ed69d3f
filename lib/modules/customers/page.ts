import type { z } from 'zod'
import type { CustomerLink } from '../emails/rules/email.ts'
import type { AdminOrderRow } from '../orders/page.ts'
import type { AdminSubscriptionRow } from '../subscriptions/page.ts'
import type { CustomerShape } from './contract.ts'

/** A customer of the interface, as pages show it. */
export type AdminCustomer = z.infer<typeof CustomerShape>

/** One customer in the admin area, with the newest purchases. */
export interface CustomerPage {
  readonly customer: AdminCustomer
  readonly subscriptions: readonly AdminSubscriptionRow[]
  readonly orders: readonly AdminOrderRow[]
  /** The link to the full list; null if the page shows the full list. */
  readonly moreSubscriptionsUrl: string | null
  readonly moreOrdersUrl: string | null
  readonly links: CustomerLinks | null
}

/** The links for a customer that a page offers to a member. */
export interface CustomerLinks {
  readonly offers: readonly {
    readonly link: CustomerLink
    /** Why the link cannot be made; null if it can. */
    readonly block: 'erased' | 'no_invoice' | 'not_ongoing' | 'not_invoiced' | null
  }[]
  /** The link that the reader has just created. It is shown once. */
  readonly created: { readonly link: CustomerLink; readonly url: string } | null
  readonly url: string
  readonly mayCreate: boolean
  readonly mayEmail: boolean
  readonly formKey: string
}
