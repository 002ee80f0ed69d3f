import { money } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import type { OfferedAction, RenewalsWait, Stakes, SubscriptionAction } from '@/lib/modules/subscriptions/page.ts'
import { momentText } from './dates.ts'
import { adminLocale, adminText as t } from './text.ts'

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
    <div className="mt-4 flex max-w-2xl flex-wrap items-start gap-3" id="actions">
      {actions.map(({ action, stakes, terms, isOpen, formKey }) => (
        <details className="open:basis-full" key={action} open={isOpen}>
          <summary className={secondaryButton}>{t(`subscriptions.actions.${action}`)}</summary>
          <form action={url} className="mt-3 mb-2 grid justify-items-start gap-2" method="post">
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

/** The sentences that describe the effects of an action. The first sentence states what is charged now. */
function sentences(action: SubscriptionAction, stakes: Stakes, wait: RenewalsWait): string[] {
  const { now, until } = stakes
  return [
    now ? t('subscriptions.stakes.now', { total: money(now, adminLocale()) }) : t('subscriptions.stakes.nothingNow'),
    ...later(stakes, wait),
    ...(until ? [t('subscriptions.stakes.until', { at: momentText(until) })] : []),
    ...(stakes.waived ? [t('subscriptions.stakes.waived', { total: money(stakes.waived, adminLocale()) })] : []),
    ...(stakes.dropsChange ? [t('subscriptions.stakes.dropsChange')] : []),
    ...(stakes.endsNow ? [t('subscriptions.stakes.endsNow')] : []),
    ...(action === 'pause' ? [t('subscriptions.stakes.pause')] : []),
  ]
}

/**
 * States the number and the total of the due periods that wait for an outstanding payment. These periods are charged as
 * soon as the payment succeeds.
 */
export const waitingText = ({ count, total }: NonNullable<Stakes['waiting']>): string =>
  t('subscriptions.waiting', { count, total: money(total, adminLocale()) })

/** The sentences about later charges and about the outstanding amount. */
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
    t(`subscriptions.stakes.${name}`, { total: money(of.total, adminLocale()), at: momentText(of.at) })
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
  if (retryAt) return t('subscriptions.stakes.retried', { total, at: momentText(retryAt) })
  return until
    ? t('subscriptions.stakes.owed', { total, at: momentText(until) })
    : t('subscriptions.stakes.collected', { total })
}
