import { type FormDraft, type FormLink, oneDay, renewedLifetime } from '../../form-links/rules/form-link.ts'
import type { InvoiceUpdateField } from '../page.ts'

/**
 * What a saved form did about the tax: nothing (`true`); it was corrected; the registry did not confirm the ID; or a
 * refund or dispute of the order has no outcome yet.
 */
type SavedUpdate = true | 'corrected' | 'unconfirmed' | 'open_money'

export type InvoiceUpdateDraft = FormDraft<InvoiceUpdateField, SavedUpdate>

/** A link that opens the details on an invoice to the buyer for a while. */
export interface InvoiceUpdateLink extends FormLink<InvoiceUpdateField, SavedUpdate> {
  readonly orderId: string
}

/** A link that can be used for a day from now on. */
export const newLink = (link: Pick<InvoiceUpdateLink, 'id' | 'orderId'>, now: Date): InvoiceUpdateLink => ({
  ...link,
  ...renewedLifetime(oneDay, now),
})
