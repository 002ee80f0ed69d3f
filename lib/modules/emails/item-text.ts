import type { Translator } from '../../platform/translate.ts'
import type { WithdrawnItem } from './rules/email.ts'

/** What is withdrawn from of one line: `Pro`, `2 × Pro`, or `1 of 3 × Pro`. */
export function itemText(t: Translator, { name, quantity, of = quantity }: WithdrawnItem): string {
  if (quantity < of) return t('emails.partOf', { name, quantity, of })
  return quantity === 1 ? name : t('emails.times', { name, quantity })
}
