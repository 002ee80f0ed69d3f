import { useTranslations } from 'next-intl'

/**
 * The mandate of a SEPA Direct Debit, shown while the chosen method renews by it. The two days are those of
 * `noticeDays` in `lib/modules/subscriptions/rules/notices.ts`.
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
