import { dayAndTime } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import { reducedText } from './item-text.ts'
import type {
  CustomerLinkEmail,
  EmailChangedEmail,
  EmailChangeEmail,
  EmailContent,
  PortalLinkEmail,
  WithdrawalReceivedEmail,
} from './rules/email.ts'
import { underwayWords } from './subscription-words.ts'
import type { Words } from './words.ts'

type InShop<Mail> = Mail & Pick<EmailContent, 'storefrontName' | 'timeZone'>

export function portalLinkWords({ storefrontName: shop, url }: InShop<PortalLinkEmail>, t: Translator): Words {
  return {
    subject: t('emails.portalLink.subject', { shop }),
    paragraphs: [t('emails.portalLink.what', { shop }), t('emails.portalLink.next')],
    action: { label: t('emails.portalLink.open'), url },
  }
}

const textsOf = { portal: 'portal', payment_method: 'paymentMethod', invoice: 'invoice' } as const

export function customerLinkWords(content: InShop<CustomerLinkEmail>, t: Translator): Words {
  const { storefrontName: shop, link, about, url } = content
  const texts = `emails.customerLink.${textsOf[link]}` as const
  return {
    subject: t(`${texts}.subject`, { shop, about }),
    paragraphs: [t(`${texts}.what`, { shop, about }), t(`${texts}.next`)],
    action: { label: t(`${texts}.open`), url },
  }
}

export function emailChangeWords({ storefrontName: shop, url }: InShop<EmailChangeEmail>, t: Translator): Words {
  return {
    subject: t('emails.emailChange.subject', { shop }),
    paragraphs: [t('emails.emailChange.what', { shop }), t('emails.emailChange.next')],
    action: { label: t('emails.emailChange.open'), url },
  }
}

export function emailChangedWords(content: InShop<EmailChangedEmail>, t: Translator, locale: Locale): Words {
  const { storefrontName: shop, maskedEmail: email, changedAt } = content
  return {
    subject: t('emails.emailChanged.subject', { shop }),
    paragraphs: [t('emails.emailChanged.what', { shop, email, date: dayAndTime(changedAt, locale, content.timeZone) })],
    closing: [t('emails.emailChanged.notYou', { shop })],
    action: null,
  }
}

export function endedWords(
  { endedSubscriptions: ended, underway }: Pick<WithdrawalReceivedEmail, 'endedSubscriptions' | 'underway'>,
  t: Translator,
  locale: Locale,
): string[] {
  if (ended.length === 0) return []
  const what = t('emails.withdrawal.ended', { subscriptions: ended.join(', ') })
  return [`${what} ${underway ? underwayWords(underway, t, locale) : t('emails.withdrawal.nothingMore')}`]
}

const returnedWords = (
  { isPaid = true, beginsAtOnce = true, seller }: Pick<WithdrawalReceivedEmail, 'isPaid' | 'beginsAtOnce'> & Sold,
  t: Translator,
): string[] =>
  isPaid
    ? [t('withdrawal.returned', { seller: seller.name }), ...(beginsAtOnce ? [t('withdrawal.kept')] : [])]
    : [t('withdrawal.nothingPaid')]

interface Sold {
  readonly seller: { readonly name: string }
}

export function withdrawalReceivedWords(
  content: InShop<WithdrawalReceivedEmail> & Sold,
  t: Translator,
  locale: Locale,
): Words {
  const { storefrontName: shop, number, name, email, statement } = content
  const declaredAt = dayAndTime(content.declaredAt, locale, content.timeZone)
  const rows = [
    { label: t('withdrawal.contract'), value: number },
    { label: t('withdrawal.name'), value: name },
    { label: t('withdrawal.email'), value: email },
    { label: t('withdrawal.receivedAt'), value: declaredAt },
    { label: t('withdrawal.declaration'), value: statement },
  ]
  return {
    subject: t('emails.withdrawal.subject', { number }),
    paragraphs: [t('emails.withdrawal.what', { shop, date: declaredAt })],
    tables: [{ heading: t('withdrawal.heading'), rows }],
    closing: [
      ...endedWords(content, t, locale),
      ...(content.reducedSubscriptions ?? []).map((each) => reducedText(t, locale, each)),
      ...returnedWords(content, t),
    ],
    action: null,
  }
}
