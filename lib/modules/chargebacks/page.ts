import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { ChargebackShape } from './contract.ts'

export { reasonText } from './rules/reason.ts'

/** A chargeback of the interface, as pages show it. */
export type AdminChargeback = z.infer<typeof ChargebackShape>

/** The chargebacks of a storefront and mode, and what they do to subscriptions. */
export type ChargebacksPage = FilteredList<AdminChargeback, AdminChargeback['status']> & {
  readonly endSubscriptions: { readonly isOn: boolean; readonly mayChange: boolean; readonly formKey: string }
}

/** One chargeback in the admin area. */
export interface ChargebackPage {
  readonly chargeback: AdminChargeback
  /** Of the disputed order. */
  readonly invoiceNumber: string | null
  readonly customer: { readonly id: string; readonly name: string | null } | null
  /** Whether more is disputed than was sold, so that somebody has to decide. */
  readonly isWaiting: boolean
  readonly mayDecide: boolean
  /** The amount that an acceptance would deduct from the merchant, with the provider's fee; null if no decision is due. */
  readonly ifAccepted: Amount | null
  readonly formKey: string
}

/** A chargeback that waits for a decision, of any storefront. */
export type ChargebackToDecide = AdminChargeback & { readonly storefront: string; readonly url: string }
