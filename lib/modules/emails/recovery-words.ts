import { day, dayAndTime, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import { directDebitTable, waitingWords } from './receipt-words.ts'
import type { EmailContent, PurchaseUnpaidEmail, RecoveryEmail } from './rules/email.ts'
import type { Words } from './words.ts'

type RecoveryEmailOf<Kind extends RecoveryEmail['kind']> = RecoveryEmail & { readonly kind: Kind } & Pick<
    EmailContent,
    'storefrontName' | 'timeZone'
  >

export function paymentFailedWords(content: RecoveryEmailOf<'payment_failed'>, t: Translator, locale: Locale): Words {
  const values = { ...chargeOf(content, locale), date: day(content.nextAttemptAt, locale, content.timeZone) }
  return {
    subject: t('emails.paymentFailed.subject', values),
    paragraphs: [
      t('emails.paymentFailed.what', values),
      reasonOf(content, t),
      t('emails.paymentFailed.next', values),
      ...(content.isOfChange ? [t('emails.changeUndone.otherwise')] : []),
      ...waitingWords(content.waiting, t, 'emails.paymentFailed.waiting', locale),
    ],
    ...(content.directDebit && { tables: [directDebitTable(content.directDebit, t)] }),
    action: { label: t('emails.update'), url: content.updateUrl },
  }
}

const reminders = { 1: 'first', 2: 'second', 3: 'last' } as const

/** States the date and the time of the deadline, because the subscription ends if the customer misses the deadline. */
export function methodNeededWords(
  content: RecoveryEmailOf<'payment_method_needed'>,
  t: Translator,
  locale: Locale,
): Words {
  const values = { ...chargeOf(content, locale), date: dayAndTime(content.endsAt, locale, content.timeZone) }
  const next = content.isOfChange ? 'nextOfChange' : 'next'
  const reminder = `emails.methodNeeded.${reminders[content.reminder]}` as const
  return {
    subject: t(`${reminder}.subject`, values),
    paragraphs: [t(`${reminder}.what`, values), reasonOf(content, t), t(`emails.methodNeeded.${next}`, values)],
    action: { label: t('emails.update'), url: content.updateUrl },
  }
}

export function purchaseUnpaidWords(
  content: PurchaseUnpaidEmail & Pick<EmailContent, 'storefrontName' | 'timeZone'>,
  t: Translator,
  locale: Locale,
): Words {
  const { storefrontName: shop, invoiceNumber: invoice, until, isReminder, timeZone, url } = content
  const values = { shop, invoice, amount: money(content.amount, locale), date: dayAndTime(until, locale, timeZone) }
  return {
    subject: t(`emails.purchaseUnpaid.${isReminder ? 'reminderSubject' : 'subject'}`, values),
    paragraphs: [
      t(`emails.purchaseUnpaid.${isReminder ? 'reminder' : 'what'}`, values),
      t('emails.purchaseUnpaid.next', values),
    ],
    action: { label: t('emails.purchaseUnpaid.pay'), url },
  }
}

export function nonpaymentWords(
  content: RecoveryEmailOf<'canceled_for_nonpayment'>,
  t: Translator,
  locale: Locale,
): Words {
  const values = chargeOf(content, locale)
  return {
    subject: t('emails.canceled.subject', values),
    paragraphs: [t('emails.canceled.what', values), t('emails.canceled.next', values)],
    action: null,
  }
}

export function changeUndoneWords(content: RecoveryEmailOf<'change_undone'>, t: Translator, locale: Locale): Words {
  const { returnsAt, timeZone } = content
  const values = chargeOf(content, locale)
  const result = returnsAt
    ? t('emails.changeUndone.atRenewal', { date: day(returnsAt, locale, timeZone) })
    : t('emails.changeUndone.now')
  return {
    subject: t('emails.changeUndone.subject', values),
    paragraphs: [t('emails.changeUndone.what', values), result],
    action: null,
  }
}

const chargeOf = (
  { storefrontName: shop, subscriptionName: subscription, amount }: RecoveryEmailOf<RecoveryEmail['kind']>,
  locale: Locale,
) => ({ shop, subscription, amount: money(amount, locale) })

const reasonOf = ({ reason }: RecoveryEmailOf<'payment_failed' | 'payment_method_needed'>, t: Translator): string =>
  t('emails.reason', { reason: t(`failureReasons.${reason}.name`) })
