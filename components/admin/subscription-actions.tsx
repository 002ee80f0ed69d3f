import { money } from '@/components/format.ts'
import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import type { OfferedAction, Stakes, SubscriptionAction } from '@/lib/modules/subscriptions/page.ts'
import { adminText as t } from './text.ts'

/** What can be done with a subscription. Each says what it comes to before it is done. */
export function SubscriptionActions({ actions, url }: { actions: readonly OfferedAction[]; url: string }) {
  if (actions.length === 0) return null
  return (
    <div className="mt-4 grid max-w-2xl justify-items-start gap-1" id="actions">
      {actions.map(({ action, stakes, terms, isOpen, formKey }) => (
        <details key={action} open={isOpen}>
          <summary className={linkButton}>{t(`subscriptions.actions.${action}`)}</summary>
          <form action={url} className="my-2 grid justify-items-start gap-2" method="post">
            <input name="key" type="hidden" value={formKey} />
            <input name="terms" type="hidden" value={terms} />
            <p>{sentences(action, stakes).join(' ')}</p>
            <button className={secondaryButton} name="intent" type="submit" value={action}>
              {stakes.now
                ? t('subscriptions.actAndCharge', {
                    action: t(`subscriptions.actions.${action}`),
                    total: money(stakes.now, 'en'),
                  })
                : t(`subscriptions.actions.${action}`)}
            </button>
          </form>
        </details>
      ))}
    </div>
  )
}

/** Money first. */
function sentences(action: SubscriptionAction, { now, next, stops, until }: Stakes): string[] {
  const at = (moment: string) => moment.slice(0, 16).replace('T', ' ')
  return [
    now ? t('subscriptions.stakes.now', { total: money(now, 'en') }) : t('subscriptions.stakes.nothingNow'),
    next
      ? t('subscriptions.stakes.next', { total: money(next.total, 'en'), at: at(next.at) })
      : stops
        ? t('subscriptions.stakes.stops', { total: money(stops.total, 'en'), at: at(stops.at) })
        : t('subscriptions.stakes.noNext'),
    ...(until ? [t('subscriptions.stakes.until', { at: at(until) })] : []),
    ...(action === 'cancelNow' ? [t('subscriptions.stakes.cancelNow')] : []),
    ...(action === 'pause' ? [t('subscriptions.stakes.pause')] : []),
  ]
}
