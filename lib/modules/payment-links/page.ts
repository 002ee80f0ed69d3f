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

/** `live_not_set_up` means that the installation cannot take live payments. */
export type LinkState = PaymentLinkState | 'live_not_set_up'

export type PaymentLinkPage = HostedPage &
  (
    | (OpenState & {
        readonly quantities: readonly QuantityField[]
        /** `formKey` differs in each rendering of the page, so that a repeated submit creates one checkout. */
        readonly formKey: string
      })
    | { readonly state: Exclude<LinkState, 'open'> }
  )

export type AdminPaymentLink = z.infer<typeof PaymentLinkShape>

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
  readonly qrCode: { readonly svg: string; readonly png: string }
  readonly buttonHtml: string
  readonly formKey: string | null
}

export type PaymentLinkForm = CheckoutLinkForm

export const paymentLinkStatuses = ['active', 'ended'] as const
