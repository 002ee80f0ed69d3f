import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { InvoiceUpdatePage } from '@/lib/modules/invoice-updates/page.ts'
import { OpenInvoiceUpdate } from './open-invoice-update.tsx'

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
  const { document, storefrontName: shop } = page
  switch (page.state) {
    case 'done':
      return (
        <StatePage
          actions={
            <>
              <a className={primaryButton} href={page.invoiceUrl}>
                {t(`invoiceUpdate.${document}.show`)}
              </a>
              {page.correction && (
                <a className={quietButton} href={page.correction.creditNote.url}>
                  {t('invoiceUpdate.creditNote.show')}
                </a>
              )}
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
          <SavedChanges page={page} />
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

function SavedChanges({ page }: { page: Extract<InvoiceUpdatePage, { state: 'done' }> }) {
  const t = useTranslations('invoiceUpdate')
  const { document, number, correction, notCorrected, locale } = page
  if (correction) {
    const { tax, replacedInvoice, creditNote } = correction
    const values = { number, replaced: replacedInvoice.number, creditNote: creditNote.number }
    return <p>{t('correction', { ...values, amount: money(tax, locale) })}</p>
  }
  return (
    <>
      <p>{t(`${document}.done`, { number })}</p>
      {notCorrected && <p>{t(`notCorrected.${notCorrected === 'open_money' ? 'openMoney' : 'unconfirmed'}`)}</p>}
    </>
  )
}
