import { countryName, day, dayAndTime, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import { plainLine } from '../../kernel/text.ts'
import { type Translator, translator } from '../../platform/translate.ts'
import { brandInWords } from './brand-words.ts'
import { invitationWords, memberWords, passkeyAddedWords, passwordResetWords } from './member-words.ts'
import { emailChangedWords, emailChangeWords, withdrawalReceivedWords } from './portal-words.ts'
import {
  chargeNoticeWords,
  confirmationWords,
  directDebitTable,
  invoiceCorrectedWords,
  receiptWords,
  refundWords,
} from './receipt-words.ts'
import { asHtml, asText, type Wording } from './rendering.ts'
import type { Composed, EmailContent, PlainEmail, RecoveryEmail } from './rules/email.ts'
import { isForMember } from './rules/for-member.ts'
import { billingUpdatedWords, cancellationWords, subscriptionEndedWords } from './subscription-words.ts'
import type { Words } from './words.ts'

/**
 * Composes an email in a language. The message catalog of a language is loaded when the first email in it is composed.
 */
export async function compose(mail: EmailContent, locale: Locale, testmode: boolean): Promise<Composed> {
  const said = await wording(withPlainNames(mail), locale, testmode)
  return { subject: said.subject, text: asText(said), html: asHtml(said, locale) }
}

/** Removes control and direction characters from every text, since others typed most of them. */
function withPlainNames(mail: EmailContent): EmailContent {
  const plain = plainTexts(mail)
  return { ...plain, customerName: plain.customerName || null }
}

/** The same value, each text in it on one line. */
function plainTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return plainLine(value) as Value
  if (Array.isArray(value)) return value.map(plainTexts) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainTexts(each)])) as Value
}

const reminders = { 1: 'first', 2: 'second', 3: 'last' } as const

/** Where the texts of an email are: its own below `words`, those of its kind below `kind`. */
function placeOf(mail: PlainEmail) {
  switch (mail.kind) {
    case 'payment_failed':
      return { words: 'emails.paymentFailed', kind: 'emails.paymentFailed' } as const
    case 'canceled_for_nonpayment':
      return { words: 'emails.canceled', kind: 'emails.canceled' } as const
    case 'portal_link':
      return { words: 'emails.portalLink', kind: 'emails.portalLink' } as const
    case 'payment_method_needed':
      return { words: `emails.methodNeeded.${reminders[mail.reminder]}`, kind: 'emails.methodNeeded' } as const
  }
}

/** The values that the texts of an email name. */
function valuesOf(mail: PlainEmail, locale: Locale) {
  const shop = { shop: mail.storefrontName }
  if (!('amount' in mail)) return { ...shop, subscription: '', amount: '', date: '' }
  return {
    ...shop,
    subscription: mail.subscriptionName,
    amount: money(mail.amount, locale),
    date: dateOf(mail, locale),
  }
}

/** The button of an email. */
function actionOf(mail: PlainEmail): { label: 'emails.update' | 'emails.portalLink.open'; url: string } | null {
  if (mail.kind === 'portal_link') return { label: 'emails.portalLink.open', url: mail.url }
  return 'updateUrl' in mail ? { label: 'emails.update', url: mail.updateUrl } : null
}

/** The deadline or the day: with the time where missing it has a consequence. */
function dateOf(mail: PlainEmail & RecoveryEmail, locale: Locale): string {
  if (mail.kind === 'payment_failed') return day(mail.nextAttemptAt, locale, mail.timeZone)
  return mail.kind === 'payment_method_needed' ? dayAndTime(mail.endsAt, locale, mail.timeZone) : ''
}

/** An email with a text for what happened and one for what is next. */
function plainWords(mail: PlainEmail, t: Translator, locale: Locale): Words {
  const { words, kind } = placeOf(mail)
  const values = valuesOf(mail, locale)
  const action = actionOf(mail)
  const reason = 'reason' in mail ? [t('emails.reason', { reason: t(`failureReasons.${mail.reason}.name`) })] : []
  return {
    subject: t(`${words}.subject`, values),
    paragraphs: [t(`${words}.what`, values), ...reason, t(`${kind}.next`, values)],
    ...(mail.kind === 'payment_failed' && mail.directDebit && { tables: [directDebitTable(mail.directDebit, t)] }),
    action: action && { label: t(action.label), url: action.url },
  }
}

function wordsOf(mail: EmailContent, t: Translator, locale: Locale): Words {
  switch (mail.kind) {
    case 'receipt':
    case 'payment_recovered':
      return receiptWords(mail, t, locale)
    case 'subscription_confirmation':
      return confirmationWords(mail, t, locale)
    case 'refund':
      return refundWords(mail, t, locale)
    case 'invoice_corrected':
      return invoiceCorrectedWords(mail, t, locale)
    case 'billing_updated':
      return billingUpdatedWords(mail, t, locale)
    case 'withdrawal_received':
      return withdrawalReceivedWords(mail, t, locale)
    case 'email_change':
      return emailChangeWords(mail, t)
    case 'email_changed':
      return emailChangedWords(mail, t, locale)
    case 'cancellation':
      return cancellationWords(mail, t, locale)
    case 'subscription_ended':
      return subscriptionEndedWords(mail, t)
    case 'trial_ending':
    case 'renewal_notice':
    case 'debit_notice':
      return chargeNoticeWords(mail, t, locale)
    case 'review_decided':
    case 'endpoint_disabled':
    case 'chargeback_received':
    case 'payout_created':
    case 'payout_returned':
    case 'payout_account_changed':
    case 'withdrawal_declared':
      return memberWords(mail, t, locale)
    case 'member_invitation':
      return invitationWords(mail, t)
    case 'password_reset':
      return passwordResetWords(mail, t)
    case 'passkey_added':
      return passkeyAddedWords(mail, t, locale)
    default:
      return plainWords(mail, t, locale)
  }
}

/** Who sells; to a member, why they get it. A link to the admin area says that itself. */
function whyOf({ kind, storefrontName: shop, seller }: EmailContent, t: Translator): string | null {
  if (kind === 'member_invitation' || kind === 'password_reset' || kind === 'passkey_added') return null
  return isForMember(kind)
    ? t('emails.members.why', { shop })
    : t('checkout.about.seller', { seller: seller.name, shop })
}

async function wording(mail: EmailContent, locale: Locale, testmode: boolean): Promise<Wording> {
  const t = await translator(locale)
  const { customerName: name, seller } = mail
  const words = wordsOf(mail, t, locale)
  const greeting = name === null ? t('emails.greeting') : t('emails.greetingNamed', { name })
  return {
    ...words,
    brand: brandInWords(mail, t),
    paragraphs: [greeting, ...words.paragraphs],
    testMode: testmode ? t('common.testMode') : null,
    orOpen: t('emails.link'),
    why: whyOf(mail, t),
    address: [
      ...[seller.name, ...seller.addressLines, countryName(seller.country, locale)],
      ...(seller.email ? [seller.email] : []),
    ],
    row: (label, value) => t('emails.row', { label, value }),
  }
}
