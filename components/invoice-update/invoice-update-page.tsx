import { useTranslations } from 'next-intl'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { InvoiceUpdatePage } from '@/lib/modules/invoice-updates/page.ts'
import { OpenInvoiceUpdate } from './open-invoice-update.tsx'

/** The page of an invoice-update link, in any of its states. */
export function InvoiceUpdate({ page }: { page: InvoiceUpdatePage }) {
  return (
    <>
      {page.testmode && <TestBand />}
      {page.state === 'open' ? (
        <div className="wide:min-h-dvh wide:bg-linear-to-r wide:from-50% wide:from-ground wide:to-50% wide:to-paper">
          <OpenInvoiceUpdate page={page} />
        </div>
      ) : (
        <ClosedInvoiceUpdate page={page} />
      )}
    </>
  )
}

function ClosedInvoiceUpdate({ page }: { page: Exclude<InvoiceUpdatePage, { state: 'open' }> }) {
  const t = useTranslations()
  const { document, number, storefrontName: shop } = page
  switch (page.state) {
    case 'done':
      return (
        <StatePage
          actions={
            <>
              <a className={primaryButton} href={page.invoiceUrl}>
                {t(`invoiceUpdate.${document}.show`)}
              </a>
              <a className={quietButton} href={page.formUrl}>
                {t('invoiceUpdate.done.again')}
              </a>
            </>
          }
          icon="done"
          shop={shop}
          title={t('invoiceUpdate.done.heading')}
          tone="done"
        >
          <p>{t(`invoiceUpdate.${document}.done`, { number })}</p>
          {page.alsoLater && <p>{t('invoiceUpdate.done.later', { shop })}</p>}
        </StatePage>
      )
    case 'expired':
      return (
        <StatePage icon="clock" shop={shop} title={t('billingUpdate.expired.heading')} tone="plain">
          <p>{t('billingUpdate.expired.text', { shop })}</p>
        </StatePage>
      )
  }
}
