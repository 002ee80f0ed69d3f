import { day, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import type { EmailContent, TransferEmail } from './rules/email.ts'
import type { Words } from './words.ts'

type InShop<Mail> = Mail & Pick<EmailContent, 'storefrontName' | 'timeZone'>

export function transferWords(content: InShop<TransferEmail>, t: Translator, locale: Locale): Words {
  const { storefrontName: shop, isReminder, until, transfer, timeZone } = content
  const amount = money(content.amount, locale)
  const values = { shop, amount, date: day(until, locale, timeZone) }
  const rows = [
    { label: t('transfer.recipient'), value: transfer.bankName },
    { label: t('transfer.account'), value: transfer.account },
    { label: t('transfer.bic'), value: transfer.bic ?? '' },
    { label: t('transfer.amount'), value: amount },
    { label: t('transfer.reference'), value: transfer.reference },
  ]
  return {
    subject: t(isReminder ? 'emails.transfer.reminderSubject' : 'emails.transfer.subject', values),
    paragraphs: [t(isReminder ? 'emails.transfer.reminder' : 'emails.transfer.what', values)],
    tables: [{ heading: t('transfer.heading'), rows: rows.filter(({ value }) => value !== '') }],
    closing: [t('transfer.referenceNote'), t('emails.transfer.until', values)],
    action: { label: t('emails.transfer.open'), url: content.url },
  }
}
