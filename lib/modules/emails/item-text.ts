import { wholeNumber } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import type { WithdrawnItem } from './rules/email.ts'

export function itemText(t: Translator, locale: Locale, { name, quantity, of = quantity }: WithdrawnItem): string {
  const values = { name, quantity: wholeNumber(quantity, locale) }
  if (quantity < of) return t('emails.partOf', { ...values, of: wholeNumber(of, locale) })
  return quantity === 1 ? name : t('emails.times', values)
}

export const reducedText = (t: Translator, locale: Locale, { name, quantity }: { name: string; quantity: number }) =>
  t('emails.withdrawal.reduced', { name, quantity: wholeNumber(quantity, locale) })
