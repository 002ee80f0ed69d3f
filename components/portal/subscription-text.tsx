import { useTranslations } from 'next-intl'
import { money } from '@/components/format.ts'
import { LocalDay } from '@/components/ui/local-time.tsx'
import { Notice } from '@/components/ui/notice.tsx'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { PortalSubscription } from '@/lib/modules/portal/page.ts'

type Props = { subscription: PortalSubscription; locale: Locale }

/** The state of a subscription in words, with its date where it has one. */
export function StatusText({ subscription, locale }: Props) {
  const t = useTranslations('portal.status')
  const { status, endsAt, trialUntil } = subscription
  const at = status === 'trial' ? trialUntil : endsAt
  return <>{t.rich(status, { date: () => at && <LocalDay locale={locale} moment={at} /> })}</>
}

/** What is charged next, and when; or that nothing is. */
export function NextChargeText({ subscription, locale }: Props) {
  const t = useTranslations('portal')
  const { nextCharge } = subscription
  if (!nextCharge) return <>{t('nothingCharged')}</>
  const date = () => <LocalDay locale={locale} moment={nextCharge.at} />
  return <>{t.rich('nextCharge', { total: money(nextCharge.total, locale), date })}</>
}

/** A payment that was declined and is still owed, with what can be done. */
export function DueNotice({ subscription, locale, children }: Props & { children?: React.ReactNode }) {
  const t = useTranslations()
  const { due, id } = subscription
  if (!due) return null
  const title = t('portal.due.title', { total: money(due.total, locale) })
  return (
    <Notice id={`due-${id}`} takesFocus={false} title={title} tone="wrong">
      <p>{t('portal.due.text', { reason: t(`failureReasons.${due.reason}.name`) })}</p>
      {children}
    </Notice>
  )
}
