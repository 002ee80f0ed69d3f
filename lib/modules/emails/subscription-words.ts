import { day, dayAndTime, money } from '../../kernel/format.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Translator } from '../../platform/translate.ts'
import type {
  BillingUpdatedEmail,
  CancellationEmail,
  EmailContent,
  PaymentMethodMissingEmail,
  SubscriptionEndedEmail,
} from './rules/email.ts'
import type { Words } from './words.ts'

type InShop<Mail> = Mail & Pick<EmailContent, 'storefrontName' | 'timeZone'>

export function cancellationWords(content: InShop<CancellationEmail>, t: Translator, locale: Locale): Words {
  const { subscriptionName: subscription, storefrontName: shop, canceledAt, endsAt, timeZone } = content
  const values = { subscription, shop, date: day(endsAt, locale, timeZone) }
  return {
    subject: t('emails.cancellation.subject', values),
    paragraphs: [
      t('emails.cancellation.what', values),
      ...disputeWords(content, t),
      ...unpaidWords(content, t, locale),
    ],
    tables: [
      {
        heading: subscription,
        rows: [
          { label: t('emails.cancellation.canceledAt'), value: dayAndTime(canceledAt, locale, timeZone) },
          { label: t('emails.cancellation.endsAt'), value: dayAndTime(endsAt, locale, timeZone) },
        ],
      },
    ],
    closing: [t('emails.cancellation.next')],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
  }
}

const disputeWords = ({ isDisputed = false }: Pick<CancellationEmail, 'isDisputed'>, t: Translator): string[] =>
  isDisputed ? [t('emails.disputed')] : []

export function methodMissingWords(content: InShop<PaymentMethodMissingEmail>, t: Translator, locale: Locale): Words {
  const { subscriptionName: subscription, storefrontName: shop, nextCharge, updateUrl, timeZone } = content
  const amount = money(nextCharge.total, locale)
  const values = { subscription, shop, amount, date: day(nextCharge.at, locale, timeZone) }
  return {
    subject: t('emails.methodMissing.subject', values),
    paragraphs: [
      t(content.cause === 'unsaved' ? 'emails.methodMissing.unsaved' : 'emails.methodMissing.what', values),
      t('emails.methodMissing.next', values),
    ],
    action: { label: t('emails.update'), url: updateUrl },
  }
}

function unpaidWords({ unpaid, timeZone }: InShop<CancellationEmail>, t: Translator, locale: Locale): string[] {
  if (!unpaid) return []
  const { total, endsEarlier, isOfChange } = unpaid
  const due = t('portal.unpaid.due', { total: money(total, locale) })
  if (isOfChange) return [`${due} ${t('emails.changeUndone.otherwise')}`]
  if (!endsEarlier) return [due]
  const { at } = endsEarlier
  const without = at
    ? t('emails.cancellation.endsUnpaid', { date: day(at, locale, timeZone) })
    : t('portal.unpaid.mayEnd')
  return [`${due} ${without}`]
}

const methodNames = {
  card: 'creditcard',
  paypal: 'paypal',
  sepa_debit: 'directdebit',
  bacs_debit: 'directdebit',
} as const

export function billingUpdatedWords(content: InShop<BillingUpdatedEmail>, t: Translator, locale: Locale): Words {
  const { subscriptionName: subscription, storefrontName: shop, hasNewDetails, newMethod, nextCharge } = content
  const values = { subscription, shop }
  const changed = newMethod === null ? 'details' : hasNewDetails ? 'both' : 'method'
  const changedAt = {
    label: t('emails.billingUpdated.changedAt'),
    value: dayAndTime(content.changedAt, locale, content.timeZone),
  }
  const method = newMethod && {
    label: t('emails.billingUpdated.methodNow'),
    value: `${t(`common.methods.${methodNames[newMethod.method]}`)} ${newMethod.maskedIdentifier}`,
  }
  return {
    subject: t('emails.billingUpdated.subject', values),
    paragraphs: [
      t(`emails.billingUpdated.${changed}`, values),
      ...(nextCharge
        ? [
            t('emails.billingUpdated.nextCharge', {
              amount: money(nextCharge.total, locale),
              date: day(nextCharge.at, locale, content.timeZone),
              amountBefore: money(nextCharge.insteadOf, locale),
            }),
          ]
        : []),
    ],
    tables: [{ heading: subscription, rows: method ? [changedAt, method] : [changedAt] }],
    closing: [t('emails.billingUpdated.notYou', values)],
    action: { label: t('emails.portal.open'), url: content.portalUrl },
  }
}

export function subscriptionEndedWords(content: InShop<SubscriptionEndedEmail>, t: Translator, locale: Locale): Words {
  const values = { subscription: content.subscriptionName, shop: content.storefrontName }
  return {
    subject: t('emails.canceled.subject', values),
    paragraphs: [
      t('emails.ended.what', values),
      ...disputeWords(content, t),
      content.underway ? underwayWords(content.underway, t, locale) : t('emails.canceled.next', values),
    ],
    action: null,
  }
}

export const underwayWords = (underway: Amount, t: Translator, locale: Locale): string =>
  `${t('portal.noFurtherPeriod')} ${t('portal.unpaid.underway', { total: money(underway, locale) })}`
