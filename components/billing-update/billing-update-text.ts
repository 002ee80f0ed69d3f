import { detailsText, type Words } from '@/components/checkout/details-text.ts'
import { day, money } from '@/components/format.ts'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BillingUpdateQuote } from '@/lib/modules/billing-updates/page.ts'

export interface BillingUpdateText extends LiveText {
  confirm: string
  nextCharge: { label: string; total: string; sentence: string } | null
  /**
   * States the number and the total of the due periods that are charged as soon as the open payment succeeds. Null if
   * no such period is due.
   */
  waiting: string | null
  toPay: string | null
}

export function billingUpdateText(quote: BillingUpdateQuote, locale: Locale, t: Words): BillingUpdateText {
  const { nextCharge, timeZone, waiting, canKeep } = quote
  const toPay = quote.toPay && money(quote.toPay, locale)
  const figures = nextCharge && { total: money(nextCharge.total, locale), date: day(nextCharge.at, locale, timeZone) }
  // The text calls the next charge "regular" if the overdue amount or other due periods are charged before it.
  const next = toPay || waiting ? 'nextRegularCharge' : 'nextCharge'
  const following =
    waiting && t('billingUpdate.due.waiting', { count: waiting.count, total: money(waiting.total, locale) })
  // The amount of a declined payment stays the same, because the tax of a new country applies only to later charges.
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
    // Without JavaScript the text cannot follow the chosen payment method, so the text must be true for every method.
    confirm: !toPay
      ? t('billingUpdate.confirm.save')
      : canKeep
        ? t('billingUpdate.confirm.saveAndContinue')
        : t('billingUpdate.confirm.saveAndPay', { total: toPay }),
    changed: [toPayChanged, nextChanged].filter(Boolean).join(' '),
  }
}
