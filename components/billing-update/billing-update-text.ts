import { detailsText, type Words } from '@/components/checkout/details-text.ts'
import { day, money } from '@/components/format.ts'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BillingUpdateQuote } from '@/lib/modules/billing-updates/page.ts'

/** Everything on the billing-update page that changes with the country or the tax ID, in the reader's language. */
export interface BillingUpdateText extends LiveText {
  confirm: string
  nextCharge: { label: string; total: string; sentence: string } | null
  /** The periods that are charged as soon as the open payment is paid; null if there are none. */
  waiting: string | null
  /** The total to pay; null if there is nothing to pay. */
  toPay: string | null
}

export function billingUpdateText(quote: BillingUpdateQuote, locale: Locale, t: Words): BillingUpdateText {
  const { nextCharge, timeZone, waiting, canKeep } = quote
  const toPay = quote.toPay && money(quote.toPay, locale)
  const figures = nextCharge && { total: money(nextCharge.total, locale), date: day(nextCharge.at, locale, timeZone) }
  // The overdue amount and the waiting periods are charged before the next charge.
  const next = toPay || waiting ? 'nextRegularCharge' : 'nextCharge'
  const following =
    waiting && t('billingUpdate.due.waiting', { count: waiting.count, total: money(waiting.total, locale) })
  // A declined amount stays the same: only later charges have the tax of the new country.
  const toPayChanged = following && (toPay ? t('billingUpdate.toPayChanged', { total: toPay }) : following)
  const nextChanged = figures && t('billingUpdate.nextChargeChanged', figures)
  return {
    ...detailsText(quote, t),
    nextCharge: figures && {
      label: t(`billingUpdate.summary.${next}`, figures),
      total: figures.total,
      sentence: `${t(`billingUpdate.${next}`, figures)} ${t('billingUpdate.tax')}`,
    },
    waiting: following,
    toPay,
    // Must be true for every choice of a method, because without JavaScript it cannot follow the choice.
    confirm: !toPay
      ? t('billingUpdate.confirm.save')
      : canKeep
        ? t('billingUpdate.confirm.saveAndContinue')
        : t('billingUpdate.confirm.saveAndPay', { total: toPay }),
    changed: [toPayChanged, nextChanged].filter(Boolean).join(' '),
  }
}
