import type { z } from 'zod'
import type { Amount } from '../../kernel/money.ts'
import type { ChargebackShape } from '../chargebacks/contract.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { AdminOrderRow } from '../orders/page.ts'
import type { AdminSubscriptionRow } from '../subscriptions/page.ts'
import type { TaxIdResult } from '../tax/rules/tax-facts.ts'
import type { CustomerShape } from './contract.ts'
import type { BillingDetails } from './rules/billing-details.ts'

type AdminCustomer = z.infer<typeof CustomerShape>

/** A customer in a list. */
export type AdminCustomerRow = AdminCustomer & {
  /** The company or the name of the newest order. Without an order, the customer's own name. */
  readonly title: string | null
  /** ISO 3166-1 alpha-2, of the newest order. */
  readonly country: string | null
  /** The paid amount before tax, less returned amounts, by currency. */
  readonly spend: readonly Amount[]
  /** The number of ongoing subscriptions. */
  readonly ongoing: number
  /** Whether the customer has more orders or subscriptions than were counted, so that both figures are minimums. */
  readonly isMore: boolean
}

/** One customer in the admin area, with the newest purchases. */
export interface CustomerPage {
  readonly customer: AdminCustomer
  readonly subscriptions: readonly AdminSubscriptionRow[]
  readonly orders: readonly AdminOrderRow[]
  /** The link to the full list; null if the page shows the full list. */
  readonly moreSubscriptionsUrl: string | null
  readonly moreOrdersUrl: string | null
  readonly links: CustomerLinks | null
  /** The billing details of the newest ongoing subscription, or else of the newest order; null without either. */
  readonly billing: Partial<BillingDetails> | null
  /** The last response of the registry about the VAT ID. Null without a VAT ID; `unchecked` without a response. */
  readonly taxIdStatus: TaxIdResult | 'unchecked' | null
  readonly spend: Pick<AdminCustomerRow, 'spend' | 'isMore'>
  /** Newest first. */
  readonly emails: readonly EmailRow[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
}
