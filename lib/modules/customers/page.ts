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

export type AdminCustomerRow = AdminCustomer & {
  /** The company or name on the newest order. If the customer has no order, the customer's own name. */
  readonly title: string | null
  /** The country of the newest order (ISO 3166-1 alpha-2). */
  readonly country: string | null
  /** The paid amount before tax, less refunds and disputes, by currency. */
  readonly spend: readonly Amount[]
  readonly ongoing: number
  /** True if the customer has more orders than were summed, so that `spend` is a minimum. */
  readonly isMore: boolean
  /** True if the customer has more subscriptions than were counted, so that `ongoing` is a minimum. */
  readonly isMoreOngoing: boolean
}

export interface CustomerNotes {
  readonly notes: readonly {
    readonly id: string
    readonly text: string
    readonly author: string | null
    readonly createdAt: string
    readonly mayDelete: boolean
    /** The form key of the note's delete button. Each note has its own key, because several notes can be deleted from one rendering of the page. */
    readonly formKey: string
  }[]
  readonly mayAdd: boolean
  readonly isFull: boolean
  readonly most: number
  readonly mostCharacters: number
  readonly typed: string
  readonly problem: string | null
  readonly url: string
  readonly formKey: string
}

export interface CustomerPage {
  readonly customer: AdminCustomer
  readonly subscriptions: readonly AdminSubscriptionRow[]
  readonly orders: readonly AdminOrderRow[]
  readonly moreSubscriptionsUrl: string | null
  readonly moreOrdersUrl: string | null
  readonly links: CustomerLinks | null
  readonly notes: CustomerNotes
  /** The billing details of the newest ongoing subscription, or of the newest order if no subscription is ongoing. Null if neither exists. */
  readonly billing: Partial<BillingDetails> | null
  /** The registry's last result for the VAT ID. Null if the customer has no VAT ID. `unchecked` if the registry has not responded. */
  readonly taxIdStatus: TaxIdResult | 'unchecked' | null
  readonly spend: Pick<AdminCustomerRow, 'spend' | 'isMore'>
  readonly emails: readonly EmailRow[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
}
