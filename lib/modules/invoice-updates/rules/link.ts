import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { InvoiceUpdateField } from '../page.ts'

/** The result of a saved form. `true`: the update did not affect the tax. `open_money`: a refund or dispute of the order has no outcome yet. */
type SavedUpdate = true | 'corrected' | 'unconfirmed' | 'open_money'

export type InvoiceUpdateDraft = FormDraft<InvoiceUpdateField, SavedUpdate>

export interface InvoiceUpdateLink extends FormLink<InvoiceUpdateField, SavedUpdate> {
  readonly orderId: string
}

export const newLink = (link: Pick<InvoiceUpdateLink, 'id' | 'orderId'>, now: Date): InvoiceUpdateLink => ({
  ...link,
  ...renewedLifetime(oneDay, now),
})
