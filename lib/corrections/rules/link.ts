import { type FormDraft, type FormLink, newLife, oneDay } from '../../billing/rules/form-link.ts'
import type { CorrectionField } from '../page.ts'

export type CorrectionDraft = FormDraft<CorrectionField, true>

/** A buyer's way to the details on an invoice, for a while. */
export interface CorrectionLink extends FormLink<CorrectionField, true> {
  readonly orderId: string
}

/** A link that can be used for a day from now on. */
export const newLink = (link: Pick<CorrectionLink, 'id' | 'orderId'>, now: Date): CorrectionLink => ({
  ...link,
  ...newLife(oneDay, now),
})
