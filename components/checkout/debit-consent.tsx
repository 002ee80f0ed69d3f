import { useTranslations } from 'next-intl'

/**
 * The mandate text of SEPA Direct Debit, shown if the chosen method renews by direct debit. The text promises two days of notice (`noticeDays` in
 * `lib/modules/subscriptions/rules/notices.ts`).
 */
export function DebitConsent({
  seller,
  creditorId,
  className = '',
}: {
  seller: string
  creditorId: string | null
  className?: string
}) {
  const t = useTranslations('checkout.consent')
  return (
    <p className={`debit-consent ${className}`}>
      {t('directDebit', { seller })} {t('preNotice')}
      {creditorId && ` ${t('creditorId', { creditorId })}`}
    </p>
  )
}
