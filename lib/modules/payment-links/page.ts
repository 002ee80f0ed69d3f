import type { z } from 'zod'
import type { Amount } from '../../kernel/money.ts'
import type { CheckoutLinkForm, HostedPage, OpenState } from '../checkouts/page.ts'
import type { PaymentLinkShape } from './contract.ts'
import type { PaymentLinkState } from './rules/payment-link.ts'

export interface QuantityField {
  readonly name: string
  readonly product: string
  readonly quantity: number
  readonly min: number
  readonly max: number
}

/** Whether a buyer can buy through a link now. In live mode, payments may not be set up. */
export type LinkState = PaymentLinkState | 'live_not_set_up'

export type PaymentLinkPage = HostedPage &
  (
    | (OpenState & {
        readonly quantities: readonly QuantityField[]
        /** Different for each rendering: a repeated submit creates one checkout. */
        readonly formKey: string
      })
    | { readonly state: Exclude<LinkState, 'open'> }
  )

export type AdminPaymentLink = z.infer<typeof PaymentLinkShape>

/** In one currency, with tax. */
export interface LinkSalesView {
  readonly orders: number
  readonly total: Amount
}

export interface PaymentLinkRow {
  readonly link: AdminPaymentLink
  readonly sales: readonly LinkSalesView[]
}

export interface AdminPaymentLinkPage extends PaymentLinkRow {
  readonly names: Readonly<Record<string, string>>
  /** Images as data URLs. */
  readonly qrCode: { readonly svg: string; readonly png: string }
  /** The HTML of a button, to paste into a page of the merchant. */
  readonly buttonHtml: string
  /** Null if the reader may not end the link. */
  readonly formKey: string | null
}

export type PaymentLinkForm = CheckoutLinkForm

export const paymentLinkStatuses = ['active', 'ended'] as const
