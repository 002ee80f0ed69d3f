import { detailsText, type Words } from '@/components/checkout/details-text.ts'
import { day, money } from '@/components/format.ts'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BillingUpdateQuote } from '@/lib/modules/billing-updates/page.ts'

/** Everything on the billing-update page that changes with the country or the tax ID, in the reader's language. */
export interface BillingUpdateText extends LiveText {
  confirm: string
  /** Null when there is no next charge. */
  nextCharge: { label: string; total: string; sentence: string } | null
  /** The periods that are charged as soon as the open payment is made; null where there are none. */
  waiting: string | null
  /** What is to pay in all; null where nothing is. */
  toPay: string | null
}

export function billingUpdateText(quote: BillingUpdateQuote, locale: Locale, t: Words): BillingUpdateText {
  const { nextCharge, timeZone, waiting, canKeep } = quote
  const toPay = quote.toPay && money(quote.toPay, locale)
  const figures = nextCharge && { total: money(nextCharge.total, locale), date: day(nextCharge.at, locale, timeZone) }
  // What is owed and what waits for it are charged before it.
  const next = toPay || waiting ? 'nextRegularCharge' : 'nextCharge'
  const following =
    waiting && t('billingUpdate.due.waiting', { count: waiting.count, total: money(waiting.total, locale) })
  // What was declined keeps its sum: only what follows it has the tax of the new country.
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
    // True for every choice of a method, because without a script it cannot follow the choice.
    confirm: !toPay
      ? t('billingUpdate.confirm.save')
      : canKeep
        ? t('billingUpdate.confirm.saveAndContinue')
        : t('billingUpdate.confirm.saveAndPay', { total: toPay }),
    changed: [toPayChanged, nextChanged].filter(Boolean).join(' '),
  }
}
