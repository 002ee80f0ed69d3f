import { useTranslations } from 'next-intl'
import { Icon } from '@/components/ui/icon.tsx'
import { ShopName } from '@/components/ui/shop-name.tsx'
import { DueLabel, Lines, Renewal, Sums, Total } from './live-quote.tsx'
import type { QuoteText } from './quote-text.ts'

/** On a phone the details are collapsed under one line with the total. */
export function OrderSummary({ shop, text }: { shop: string; text: QuoteText }) {
  const t = useTranslations('checkout')
  return (
    <section aria-label={t('summary.heading')} className="flex flex-col">
      <h1>
        <ShopName name={shop} />
        <span className="sr-only">{t('heading')}</span>
      </h1>
      <p className="mt-8 text-soft max-wide:hidden">
        <DueLabel text={text} />
      </p>
      <p className="font-semibold text-total tracking-tight max-wide:hidden">
        <Total text={text} />
      </p>
      {/* Hidden on a phone, which shows a copy below the fold. A single element that CSS moves would jump when the fold loads. */}
      <Renewal className="mt-2 max-w-prose max-wide:hidden" saysBeforeTax text={text} />
      <details className="order-fold mt-2 wide:mt-6">
        <summary className="flex min-h-11 items-center justify-between gap-4 rounded-box supports-[selector(::details-content)]:wide:hidden">
          <span className="flex items-center gap-1">
            {t('summary.heading')}
            <Icon className="chevron size-5 text-soft" name="chevron" />
          </span>
          <span className="font-semibold text-title">
            <Total text={text} />
          </span>
        </summary>
        <div className="border-line border-y">
          <Lines text={text} />
        </div>
        <div className="py-4">
          <Sums text={text} />
        </div>
      </details>
      <Renewal className="mt-1 text-note wide:hidden" saysBeforeTax text={text} />
    </section>
  )
}
