import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { LocalTime } from '@/components/ui/local-time.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { CheckoutPage } from '@/lib/modules/checkouts/page.ts'
import { CheckoutForm } from './checkout-form.tsx'
import { OwedPurchase } from './owed.tsx'
import { Receipt, ReceiptRow } from './receipt.tsx'
import { WaitingForTransfer } from './transfer.tsx'

export function Checkout({ page }: { page: CheckoutPage }) {
  return (
    <>
      {page.testmode && <TestBand />}
      {page.state === 'open' ? (
        <div className="wide:min-h-dvh wide:bg-linear-to-r wide:from-50% wide:from-ground wide:to-50% wide:to-paper">
          <CheckoutForm page={page} />
        </div>
      ) : (
        <ClosedCheckout page={page} />
      )}
    </>
  )
}

function ClosedCheckout({ page }: { page: Exclude<CheckoutPage, { state: 'open' }> }) {
  const t = useTranslations()
  const { locale, storefrontName: shop, seller } = page
  const back = (href: string, className: string) => (
    <a className={className} href={href}>
      {t('common.backToShop', { shop })}
    </a>
  )
  switch (page.state) {
    case 'paid': {
      const free = /^0*\.?0*$/.test(page.total.value)
      return (
        <StatePage
          actions={page.successUrl === null ? null : back(page.successUrl, primaryButton)}
          icon="done"
          shop={shop}
          title={free ? t('checkout.paid.headingFree') : t('checkout.paid.heading')}
          tone="done"
        >
          <p>
            {free
              ? t('checkout.paid.textFree', { shop })
              : t('checkout.paid.text', { total: money(page.total, locale), seller: seller.name, shop })}
          </p>
          <Receipt locale={locale} receipt={page.receipt} seller={page.seller.name} shop={shop}>
            {!free && (
              <ReceiptRow label={t('checkout.receipt.paidAt')}>
                <LocalTime locale={locale} moment={page.paidAt} timeZone={page.receipt.timeZone} />
              </ReceiptRow>
            )}
            {page.invoiceUrl && page.invoiceNumber && (
              <ReceiptRow label={t('checkout.paid.invoice')}>
                <a href={page.invoiceUrl}>{page.invoiceNumber}</a>
              </ReceiptRow>
            )}
            <ReceiptRow label={t('checkout.paid.email')}>{page.email}</ReceiptRow>
          </Receipt>
        </StatePage>
      )
    }
    case 'pending': {
      const actions = (
        <>
          {page.successUrl !== null && back(page.successUrl, primaryButton)}
          <a className={quietButton} href="?">
            {t('checkout.pending.checkAgain')}
          </a>
        </>
      )
      if (page.transfer) return <WaitingForTransfer actions={actions} page={page} transfer={page.transfer} />
      return (
        <StatePage actions={actions} icon="clock" shop={shop} title={t('checkout.pending.heading')} tone="plain">
          <p>
            {t(page.isDirectDebit ? 'checkout.pending.text' : 'checkout.pending.textAny', {
              total: money(page.total, locale),
            })}
          </p>
          <p>
            {t.rich('checkout.pending.when', {
              moment: () => <LocalTime locale={locale} moment={page.settlesBefore} timeZone={page.receipt.timeZone} />,
            })}
          </p>
          <p>{t('checkout.pending.close', { shop })}</p>
          <Receipt locale={locale} receipt={page.receipt} seller={page.seller.name} shop={shop} />
        </StatePage>
      )
    }
    case 'owed':
      return <OwedPurchase page={page} />
    case 'expired':
      return (
        <StatePage
          actions={back(page.canceledUrl, primaryButton)}
          icon="clock"
          shop={shop}
          title={t('checkout.expired.heading')}
          tone="plain"
        >
          <p>{t('checkout.expired.text', { shop })}</p>
        </StatePage>
      )
    case 'canceled':
      return (
        <StatePage
          actions={back(page.canceledUrl, primaryButton)}
          icon="closed"
          shop={shop}
          title={t('checkout.canceled.heading')}
          tone="plain"
        >
          <p>{page.isWrittenOff ? t('checkout.owed.canceled') : t('checkout.canceled.text', { shop })}</p>
        </StatePage>
      )
    case 'suspended':
      return (
        <StatePage
          actions={back(page.canceledUrl, primaryButton)}
          icon="closed"
          shop={shop}
          title={t('checkout.suspended.heading')}
          tone="plain"
        >
          <p>{t('checkout.suspended.text', { shop })}</p>
        </StatePage>
      )
    case 'live_not_set_up':
      return (
        <StatePage
          actions={back(page.canceledUrl, primaryButton)}
          icon="alert"
          shop={shop}
          title={t('checkout.liveNotSetUp.heading')}
          tone="plain"
        >
          <p>{t('checkout.liveNotSetUp.text', { shop })}</p>
        </StatePage>
      )
  }
}
