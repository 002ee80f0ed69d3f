import { dayAndTime } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import type { EmailChangedEmail, EmailChangeEmail } from './rules/email.ts'
import type { Words } from './words.ts'

type InShop<Mail> = Mail & { readonly storefrontName: string }

/** The link that confirms a new address. */
export function emailChangeWords({ storefrontName: shop, url }: InShop<EmailChangeEmail>, t: Translator): Words {
  return {
    subject: t('emails.emailChange.subject', { shop }),
    paragraphs: [t('emails.emailChange.what', { shop }), t('emails.emailChange.next')],
    action: { label: t('emails.emailChange.open'), url },
  }
}

/** To the former address: that there is a new one, and what to do about a change by somebody else. */
export function emailChangedWords(mail: InShop<EmailChangedEmail>, t: Translator, locale: Locale): Words {
  const { storefrontName: shop, maskedEmail: email, changedAt } = mail
  return {
    subject: t('emails.emailChanged.subject', { shop }),
    paragraphs: [t('emails.emailChanged.what', { shop, email, date: dayAndTime(changedAt, locale) })],
    closing: [t('emails.emailChanged.notYou', { shop })],
    action: null,
  }
}
