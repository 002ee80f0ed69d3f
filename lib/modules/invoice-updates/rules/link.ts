import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { InvoiceUpdateField } from '../page.ts'

/** `open_money`: a refund or dispute has no outcome yet. `true`: the form had no effect on the tax. */
type SavedUpdate = true | 'corrected' | 'unconfirmed' | 'open_money'

export type InvoiceUpdateDraft = FormDraft<InvoiceUpdateField, SavedUpdate>

export interface InvoiceUpdateLink extends FormLink<InvoiceUpdateField, SavedUpdate> {
  readonly orderId: string
}

export const newLink = (link: Pick<InvoiceUpdateLink, 'id' | 'orderId'>, now: Date): InvoiceUpdateLink => ({
  ...link,
  ...renewedLifetime(oneDay, now),
})
