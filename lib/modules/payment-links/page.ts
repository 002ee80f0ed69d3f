import type { z } from 'zod'
import type { Amount } from '../../kernel/money.ts'
import type { CheckoutLinkForm, HostedPage, OpenState } from '../checkouts/page.ts'
import type { PaymentLinkShape } from './contract.ts'
import type { PaymentLinkState } from './rules/payment-link.ts'

/** A quantity that the buyer chooses. */
export interface QuantityField {
  /** The name of the form's field. */
  readonly name: string
  /** The name of the product. */
  readonly product: string
  readonly quantity: number
  readonly min: number
  readonly max: number
}

/** Whether a buyer can buy through a link now. In live mode, payments may not be set up. */
export type LinkState = PaymentLinkState | 'live_not_set_up'

/** The page of a payment link: a checkout form, or the reason why there is no form. */
export type PaymentLinkPage = HostedPage &
  (
    | (OpenState & {
        readonly quantities: readonly QuantityField[]
        /** Different for each rendering of the form: a form that is sent twice creates one checkout. */
        readonly formKey: string
      })
    | { readonly state: Exclude<LinkState, 'open'> }
  )

/** A payment link as the API returns it. */
export type AdminPaymentLink = z.infer<typeof PaymentLinkShape>

/** The sales through a payment link in one currency, with tax. */
export interface LinkSalesView {
  readonly orders: number
  readonly total: Amount
}

export interface PaymentLinkRow {
  readonly link: AdminPaymentLink
  /** One entry per currency. */
  readonly sales: readonly LinkSalesView[]
}

/** One payment link in the admin area. */
export interface AdminPaymentLinkPage extends PaymentLinkRow {
  /** The names of the products, by id. */
  readonly names: Readonly<Record<string, string>>
  /** Images as data URLs. */
  readonly qrCode: { readonly svg: string; readonly png: string }
  /** The HTML of a button, to paste into a page of the merchant. */
  readonly buttonHtml: string
  /** Null if the reader may not end the link. */
  readonly formKey: string | null
}

/** The form for a payment link, with the submitted values and their problems. */
export type PaymentLinkForm = CheckoutLinkForm

/** The statuses by which the admin area filters the list. */
export const paymentLinkStatuses = ['active', 'ended'] as const
