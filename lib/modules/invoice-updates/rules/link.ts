import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../billing-updates/rules/form-link.ts'
import type { InvoiceUpdateField } from '../page.ts'

export type InvoiceUpdateDraft = FormDraft<InvoiceUpdateField, true>

/** A link that opens the details on an invoice to the buyer for a while. */
export interface InvoiceUpdateLink extends FormLink<InvoiceUpdateField, true> {
  readonly orderId: string
}

/** A link that can be used for a day from now on. */
export const newLink = (link: Pick<InvoiceUpdateLink, 'id' | 'orderId'>, now: Date): InvoiceUpdateLink => ({
  ...link,
  ...renewedLifetime(oneDay, now),
})
