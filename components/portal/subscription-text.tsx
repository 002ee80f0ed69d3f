import { useTranslations } from 'next-intl'
import { money, wholeNumber } from '@/components/format.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { LocalDay } from '@/components/ui/local-time.tsx'
import { Notice } from '@/components/ui/notice.tsx'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { PortalSubscription } from '@/lib/modules/portal/page.ts'

type Props = { subscription: PortalSubscription; locale: Locale; timeZone: string | null }

const tones: Readonly<Record<PortalSubscription['status'], Tone>> = {
  created: 'warning',
  trial: 'info',
  active: 'success',
  paused: 'neutral',
  on_grace_period: 'neutral',
  canceled: 'neutral',
}

export function StatusBadge({ subscription, locale, timeZone }: Props) {
  const t = useTranslations('portal.status')
  const { status, endsAt, trialUntil } = subscription
  const at = status === 'trial' ? trialUntil : endsAt
  return (
    <Badge tone={subscription.due ? 'warning' : tones[status]}>
      {t.rich(status, { date: () => at && <LocalDay locale={locale} moment={at} timeZone={timeZone} /> })}
    </Badge>
  )
}

export function ScheduledText({ subscription, locale, timeZone, className }: Props & { className?: string }) {
  const t = useTranslations()
  const { scheduled } = subscription
  if (!scheduled) return null
  const { name, quantity, at } = scheduled
  const item =
    quantity === 1 && subscription.quantity === 1
      ? name
      : t('checkout.receipt.quantity', { quantity: wholeNumber(quantity, locale), name })
  return (
    <p className={className}>
      {t.rich('portal.scheduled', { item, date: () => <LocalDay locale={locale} moment={at} timeZone={timeZone} /> })}
    </p>
  )
}

/** Renders nothing before the first payment and after the end of the subscription. */
export function NextChargeText({ subscription, locale, timeZone, className }: Props & { className?: string }) {
  const t = useTranslations('portal')
  const { nextCharge, status, unpaid, due, waiting, renewalsWait } = subscription
  if (status === 'created' || status === 'canceled') return null
  if (!nextCharge) {
    const isPaused = status === 'paused'
    const said = isPaused ? 'nothingChargedPaused' : unpaid ? 'noFurtherPeriod' : 'nothingCharged'
    return (
      <>
        {!renewalsWait && !(isPaused && unpaid) && <p className={className}>{t(said)}</p>}
        <UnpaidText className={className} locale={locale} subscription={subscription} timeZone={timeZone} />
      </>
    )
  }
  const date = () => <LocalDay locale={locale} moment={nextCharge.at} timeZone={timeZone} />
  // The text calls the next charge "regular" if the overdue amount or other due periods are charged before it.
  const said = due || waiting ? 'nextRegularCharge' : 'nextCharge'
  return (
    <>
      {!due && <WaitingText className={className} locale={locale} subscription={subscription} />}
      <p className={className}>{t.rich(said, { total: money(nextCharge.total, locale), date })}</p>
    </>
  )
}

/** States the number and the total of the due periods that are charged as soon as the open payment succeeds. */
function WaitingText({
  subscription: { waiting },
  locale,
  className,
}: Omit<Props, 'timeZone'> & { className?: string | undefined }) {
  const t = useTranslations('billingUpdate.due')
  if (!waiting) return null
  return <p className={className}>{t('waiting', { count: waiting.count, total: money(waiting.total, locale) })}</p>
}

/** States the unpaid amount, and what happens if it stays unpaid. A canceled or paused subscription can have an unpaid amount too. */
export function UnpaidText({ subscription, locale, timeZone, className }: Props & { className?: string | undefined }) {
  const t = useTranslations()
  const { unpaid } = subscription
  if (!unpaid) return null
  const { total, endsEarlier, isOfChange } = unpaid
  const at = endsEarlier?.at
  return (
    <p className={className}>
      {t('portal.unpaid.due', { total: money(total, locale) })}{' '}
      {endsEarlier &&
        (at
          ? t.rich('portal.unpaid.ends', { date: () => <LocalDay locale={locale} moment={at} timeZone={timeZone} /> })
          : t('portal.unpaid.mayEnd'))}
      {isOfChange && t('emails.changeUndone.otherwise')}
    </p>
  )
}

/** Says what happens after a declined payment: the next automatic step, and what the customer can do. */
export function DueNotice({
  subscription,
  locale,
  timeZone,
  level,
  children,
}: Props & { level: 2 | 4; children?: React.ReactNode }) {
  const t = useTranslations()
  const { due, id, unpaid, nextCharge } = subscription
  if (!due) return null
  const again = due.chargedAgainAt
  // Without a next charge, this notice omits the end of the subscription, because `UnpaidText` states it.
  const ends = nextCharge && unpaid?.endsEarlier?.at
  const title = t('portal.due.title', { total: money(due.total, locale) })
  return (
    <Notice id={`due-${id}`} level={level} takesFocus={false} title={title} tone="wrong">
      <p>
        {t('portal.due.text', { reason: t(`failureReasons.${due.reason}.name`) })}{' '}
        {again &&
          t.rich('portal.due.again', { date: () => <LocalDay locale={locale} moment={again} timeZone={timeZone} /> })}
      </p>
      <WaitingText locale={locale} subscription={subscription} />
      {ends && (
        <p>
          {t.rich('portal.unpaid.ends', { date: () => <LocalDay locale={locale} moment={ends} timeZone={timeZone} /> })}
        </p>
      )}
      {unpaid?.isOfChange && <p>{t('emails.changeUndone.otherwise')}</p>}
      {children}
    </Notice>
  )
}
