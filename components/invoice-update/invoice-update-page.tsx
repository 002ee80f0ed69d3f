import { useTranslations } from 'next-intl'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { InvoiceUpdatePage } from '@/lib/modules/invoice-updates/page.ts'
import { OpenCorrection } from './open-invoice-update.tsx'

/** One link to the details on an invoice, whatever has become of it. */
export function Correction({ page }: { page: InvoiceUpdatePage }) {
  return (
    <>
      {page.testmode && <TestBand />}
      {page.state === 'open' ? (
        <div className="wide:min-h-dvh wide:bg-linear-to-r wide:from-50% wide:from-ground wide:to-50% wide:to-paper">
          <OpenCorrection page={page} />
        </div>
      ) : (
        <ClosedCorrection page={page} />
      )}
    </>
  )
}

function ClosedCorrection({ page }: { page: Exclude<InvoiceUpdatePage, { state: 'open' }> }) {
  const t = useTranslations()
  const { document, number, storefrontName: shop } = page
  switch (page.state) {
    case 'done':
      return (
        <StatePage
          actions={
            <>
              <a className={primaryButton} href={page.invoiceUrl}>
                {t(`corrections.${document}.show`)}
              </a>
              <a className={quietButton} href={page.formUrl}>
                {t('corrections.done.again')}
              </a>
            </>
          }
          icon="done"
          shop={shop}
          title={t('corrections.done.heading')}
          tone="done"
        >
          <p>{t(`corrections.${document}.done`, { number })}</p>
          {page.alsoLater && <p>{t('corrections.done.later', { shop })}</p>}
        </StatePage>
      )
    case 'expired':
      return (
        <StatePage icon="clock" shop={shop} title={t('billing.expired.heading')} tone="plain">
          <p>{t('billing.expired.text', { shop })}</p>
        </StatePage>
      )
  }
}
