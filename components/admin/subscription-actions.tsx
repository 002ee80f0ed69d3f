import { money } from '@/components/format.ts'
import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import type { OfferedAction, RenewalsWait, Stakes, SubscriptionAction } from '@/lib/modules/subscriptions/page.ts'
import { adminLocale, adminText as t } from './text.ts'

/** The actions on a subscription. Each action shows its effect before it is confirmed. */
export function SubscriptionActions({
  actions,
  renewalsWait,
  url,
}: {
  actions: readonly OfferedAction[]
  renewalsWait: RenewalsWait
  url: string
}) {
  if (actions.length === 0) return null
  return (
    <div className="mt-4 grid max-w-2xl justify-items-start gap-1" id="actions">
      {actions.map(({ action, stakes, terms, isOpen, formKey }) => (
        <details key={action} open={isOpen}>
          <summary className={linkButton}>{t(`subscriptions.actions.${action}`)}</summary>
          <form action={url} className="my-2 grid justify-items-start gap-2" method="post">
            <input name="key" type="hidden" value={formKey} />
            <input name="terms" type="hidden" value={terms} />
            <p>{sentences(action, stakes, renewalsWait).join(' ')}</p>
            <button className={secondaryButton} name="intent" type="submit" value={action}>
              {stakes.now
                ? t('subscriptions.actAndCharge', {
                    action: t(`subscriptions.actions.${action}`),
                    total: money(stakes.now, adminLocale()),
                  })
                : t(`subscriptions.actions.${action}`)}
            </button>
          </form>
        </details>
      ))}
    </div>
  )
}

/** Amounts first. */
function sentences(action: SubscriptionAction, stakes: Stakes, wait: RenewalsWait): string[] {
  const { now, until } = stakes
  return [
    now ? t('subscriptions.stakes.now', { total: money(now, adminLocale()) }) : t('subscriptions.stakes.nothingNow'),
    ...later(stakes, wait),
    ...(until ? [t('subscriptions.stakes.until', { at: at(until) })] : []),
    ...(stakes.waived ? [t('subscriptions.stakes.waived', { total: money(stakes.waived, adminLocale()) })] : []),
    ...(stakes.dropsChange ? [t('subscriptions.stakes.dropsChange')] : []),
    ...(stakes.endsNow ? [t('subscriptions.stakes.endsNow')] : []),
    ...(action === 'pause' ? [t('subscriptions.stakes.pause')] : []),
  ]
}

const at = (moment: string) => moment.slice(0, 16).replace('T', ' ')

/** Waiting periods, which are charged as soon as the outstanding payment is paid. */
export const waitingText = ({ count, total }: NonNullable<Stakes['waiting']>): string =>
  t('subscriptions.waiting', { count, total: money(total, adminLocale()) })

/** The later charges, or that there are none, and the outcome of the outstanding amount. */
function later(stakes: Stakes, wait: RenewalsWait): string[] {
  const { writtenOff, onItsWay, collected } = stakes
  const charges = coming(stakes, wait)
  const nothing = collected || onItsWay ? [] : [t('subscriptions.stakes.noNext')]
  return [
    ...(charges.length > 0 ? charges : nothing),
    ...(writtenOff ? [t('subscriptions.stakes.writtenOff', { total: money(writtenOff, adminLocale()) })] : []),
    ...(onItsWay ? [t('subscriptions.stakes.onItsWay', { total: money(onItsWay, adminLocale()) })] : []),
    ...(collected ? [collecting(collected)] : []),
  ]
}

function coming({ next, waiting, isHeld, stops, stopsWaiting }: Stakes, wait: RenewalsWait): string[] {
  const charge = (name: 'next' | 'after' | 'stops', of: NonNullable<Stakes['next']>) =>
    t(`subscriptions.stakes.${name}`, { total: money(of.total, adminLocale()), at: at(of.at) })
  const stopping = stopsWaiting && { count: stopsWaiting.count, total: money(stopsWaiting.total, adminLocale()) }
  return [
    ...(waiting ? [waitingText(waiting)] : []),
    ...(next ? [charge(waiting ? 'after' : 'next', next)] : []),
    ...(next && wait ? [t(`subscriptions.renewalsWait.${wait}`)] : []),
    ...(isHeld && wait ? [t(`subscriptions.renewalHeld.${wait}`)] : []),
    ...(stopping ? [t('subscriptions.stakes.stopsWaiting', stopping)] : []),
    ...(stops ? [charge('stops', stops)] : []),
  ]
}

function collecting({ total: sum, retryAt, until }: NonNullable<Stakes['collected']>): string {
  const total = money(sum, adminLocale())
  if (retryAt) return t('subscriptions.stakes.retried', { total, at: at(retryAt) })
  return until
    ? t('subscriptions.stakes.owed', { total, at: at(until) })
    : t('subscriptions.stakes.collected', { total })
}
