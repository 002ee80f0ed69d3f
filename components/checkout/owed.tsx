import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { primaryButton } from '@/components/ui/button.ts'
import { LocalTime } from '@/components/ui/local-time.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import type { CheckoutPage } from '@/lib/modules/checkouts/page.ts'
import { ReplacementMethods } from './payment-methods.tsx'
import { PaymentNotice } from './payment-notice.tsx'

/** The page of a purchase whose direct debit was returned: how to pay, and by when. */
export function OwedPurchase({ page }: { page: CheckoutPage & { state: 'owed' } }) {
  const t = useTranslations('checkout')
  const { locale, storefrontName: shop, invoiceNumber, until, notice, methods } = page
  const total = money(page.total, locale)
  return (
    <StatePage icon="alert" shop={shop} title={t('owed.heading', { total })} tone="plain">
      {notice && <PaymentNotice notice={notice} takesFocus />}
      <p>
        {t.rich('owed.text', {
          shop,
          invoice: () => <a href={page.invoiceUrl}>{invoiceNumber}</a>,
        })}
      </p>
      {until && <p>{t.rich('owed.until', { moment: () => <LocalTime locale={locale} moment={until} /> })}</p>}
      {methods.length === 0 ? (
        <p>{t('liveNotSetUp.text', { shop })}</p>
      ) : (
        <form action={page.submitUrl} className="mt-3 grid gap-5" method="post">
          <ReplacementMethods
            chosen=""
            error={undefined}
            keep={null}
            methods={methods}
            recurring={false}
            required
            testmode={page.testmode}
          />
          <button className={primaryButton} type="submit">
            {t('owed.pay', { total })}
          </button>
        </form>
      )}
    </StatePage>
  )
}
