import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { BillingUpdatePage } from '@/lib/modules/billing-updates/page.ts'
import { OpenBillingUpdate } from './open-billing-update.tsx'

export function BillingUpdate({ page }: { page: BillingUpdatePage }) {
  return (
    <>
      {page.testmode && <TestBand />}
      {page.state === 'open' ? (
        <div className="wide:min-h-dvh wide:bg-linear-to-r wide:from-50% wide:from-ground wide:to-50% wide:to-paper">
          <OpenBillingUpdate page={page} />
        </div>
      ) : (
        <ClosedBilling page={page} />
      )}
    </>
  )
}

/**
 * The page of a closed billing-update link. A link from an email has no return URL, so the page does not lead back to
 * the shop.
 */
function ClosedBilling({ page }: { page: Exclude<BillingUpdatePage, { state: 'open' }> }) {
  const t = useTranslations('billingUpdate')
  const { locale, storefrontName: shop, subscriptionName: name } = page
  switch (page.state) {
    case 'done':
      return (
        <StatePage icon="done" shop={shop} title={t('done.heading')} tone="done">
          <p>{t('done.text', { name, shop })}</p>
          {page.charged && <p>{t('done.charged', { total: money(page.charged, locale) })}</p>}
          {page.waiting && (
            <p>{t('due.waiting', { count: page.waiting.count, total: money(page.waiting.total, locale) })}</p>
          )}
          <p>{t('done.close')}</p>
        </StatePage>
      )
    case 'expired':
      return (
        <StatePage icon="clock" shop={shop} title={t('expired.heading')} tone="plain">
          <p>{t('expired.text', { shop })}</p>
        </StatePage>
      )
    case 'ended':
      return (
        <StatePage icon="closed" shop={shop} title={t('ended.heading')} tone="plain">
          <p>{t('ended.text', { name, shop })}</p>
        </StatePage>
      )
  }
}
