import type { z } from 'zod'
import type { AdminOrderRow } from '../orders/page.ts'
import type { AdminSubscriptionRow } from '../subscriptions/page.ts'
import type { CustomerShape } from './contract.ts'

export type AdminCustomer = z.infer<typeof CustomerShape>

export interface CustomerPage {
  readonly customer: AdminCustomer
  readonly subscriptions: readonly AdminSubscriptionRow[]
  readonly orders: readonly AdminOrderRow[]
  /** The link to the full list; null if the page shows the full list. */
  readonly moreSubscriptionsUrl: string | null
  readonly moreOrdersUrl: string | null
}
