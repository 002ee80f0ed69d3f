import { useTranslations } from 'next-intl'
import { Fragment, type ReactNode } from 'react'
import { money } from '@/components/format.ts'
import { LocalTime } from '@/components/ui/local-time.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import type { CheckoutPage } from '@/lib/modules/checkouts/page.ts'
import type { TransferDetails } from '@/lib/modules/payments/page.ts'
import { Receipt, ReceiptRow } from './receipt.tsx'

interface TransferProps {
  page: CheckoutPage & { state: 'pending' }
  transfer: TransferDetails
  actions: ReactNode
}

export function WaitingForTransfer({ page, transfer, actions }: TransferProps) {
  const t = useTranslations()
  const { locale, storefrontName: shop } = page
  const total = money(page.total, locale)
  return (
    <StatePage
      actions={actions}
      icon="clock"
      shop={shop}
      title={t('checkout.transfer.heading', { total })}
      tone="plain"
    >
      <p>{t('checkout.transfer.text', { shop })}</p>
      <p>
        {t.rich('checkout.transfer.until', {
          moment: () => <LocalTime locale={locale} moment={page.settlesBefore} timeZone={page.receipt.timeZone} />,
        })}
      </p>
      <Receipt locale={locale} receipt={page.receipt} seller={page.seller.name} shop={shop}>
        {transfer.bankName && <ReceiptRow label={t('transfer.recipient')}>{transfer.bankName}</ReceiptRow>}
        <ReceiptRow label={t('transfer.account')}>
          <Account account={transfer.account} />
        </ReceiptRow>
        {transfer.bic && <ReceiptRow label={t('transfer.bic')}>{transfer.bic}</ReceiptRow>}
        <ReceiptRow label={t('transfer.amount')}>{total}</ReceiptRow>
        <ReceiptRow label={t('transfer.reference')}>
          <strong>{transfer.reference}</strong>
          <p>{t('transfer.referenceNote')}</p>
        </ReceiptRow>
      </Receipt>
    </StatePage>
  )
}

/** An IBAN in groups of four characters, or any other account unchanged. Margins separate the groups, so that a copied IBAN contains no spaces. */
function Account({ account }: { account: string }) {
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)
  if (!isIban) return <span className="break-all">{account}</span>
  const groups = [...account.matchAll(/.{1,4}/g)]
  return (
    <span>
      {groups.map(({ 0: group, index }) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <span className={index > 0 ? 'ml-1.5' : undefined}>{group}</span>
        </Fragment>
      ))}
    </span>
  )
}
