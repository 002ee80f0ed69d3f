import { detailsText, type Words } from '@/components/checkout/details-text.ts'
import { day, money } from '@/components/format.ts'
import type { LiveText } from '@/components/ui/live-text.ts'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { BillingUpdateQuote } from '@/lib/modules/billing-updates/page.ts'

/** Everything on the billing-update page that changes with the country or the tax ID, in the reader's language. */
export interface BillingUpdateText extends LiveText {
  /** Null when there is no next charge. */
  nextCharge: { label: string; total: string; sentence: string } | null
}

export function billingUpdateText(quote: BillingUpdateQuote, locale: Locale, t: Words): BillingUpdateText {
  const { nextCharge, timeZone } = quote
  const figures = nextCharge && { total: money(nextCharge.total, locale), date: day(nextCharge.at, locale, timeZone) }
  return {
    ...detailsText(quote, t),
    nextCharge: figures && {
      label: t('billingUpdate.summary.nextCharge', figures),
      total: figures.total,
      sentence: t('billingUpdate.nextCharge', figures),
    },
    changed: figures ? t('billingUpdate.nextChargeChanged', figures) : '',
  }
}
