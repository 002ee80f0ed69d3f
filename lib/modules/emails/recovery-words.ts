import { day, dayAndTime, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Translator } from '../../platform/translate.ts'
import { directDebitTable } from './receipt-words.ts'
import type { EmailContent, RecoveryEmail } from './rules/email.ts'
import type { Words } from './words.ts'

type Mail<Kind extends RecoveryEmail['kind']> = RecoveryEmail & { readonly kind: Kind } & Pick<
    EmailContent,
    'storefrontName' | 'timeZone'
  >

/** A charge failed, and is tried again on a day. */
export function paymentFailedWords(mail: Mail<'payment_failed'>, t: Translator, locale: Locale): Words {
  const values = { ...chargeOf(mail, locale), date: day(mail.nextAttemptAt, locale, mail.timeZone) }
  return {
    subject: t('emails.paymentFailed.subject', values),
    paragraphs: [t('emails.paymentFailed.what', values), reasonOf(mail, t), t('emails.paymentFailed.next', values)],
    ...(mail.directDebit && { tables: [directDebitTable(mail.directDebit, t)] }),
    action: { label: t('emails.update'), url: mail.updateUrl },
  }
}

const reminders = { 1: 'first', 2: 'second', 3: 'last' } as const

/** A method cannot be charged again. Until when another one is needed has its time: missing it ends the subscription. */
export function methodNeededWords(mail: Mail<'payment_method_needed'>, t: Translator, locale: Locale): Words {
  const values = { ...chargeOf(mail, locale), date: dayAndTime(mail.endsAt, locale, mail.timeZone) }
  const reminder = `emails.methodNeeded.${reminders[mail.reminder]}` as const
  return {
    subject: t(`${reminder}.subject`, values),
    paragraphs: [t(`${reminder}.what`, values), reasonOf(mail, t), t('emails.methodNeeded.next', values)],
    action: { label: t('emails.update'), url: mail.updateUrl },
  }
}

/** The subscription ended, because the payment did not come. */
export function nonpaymentWords(mail: Mail<'canceled_for_nonpayment'>, t: Translator, locale: Locale): Words {
  const values = chargeOf(mail, locale)
  return {
    subject: t('emails.canceled.subject', values),
    paragraphs: [t('emails.canceled.what', values), t('emails.canceled.next', values)],
    action: null,
  }
}

const chargeOf = (
  { storefrontName: shop, subscriptionName: subscription, amount }: Mail<RecoveryEmail['kind']>,
  locale: Locale,
) => ({ shop, subscription, amount: money(amount, locale) })

const reasonOf = ({ reason }: Mail<'payment_failed' | 'payment_method_needed'>, t: Translator): string =>
  t('emails.reason', { reason: t(`failureReasons.${reason}.name`) })
