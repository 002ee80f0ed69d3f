import { toWire } from '../../kernel/moment.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { unpaidOf } from '../../modules/recovery/unpaid.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { recipientOf } from './recipients.ts'

/**
 * Emails the customer of a canceled subscription: the end date or the end, and what is still collected. Call it after
 * orders that are no longer collected were written off. The end for non-payment has its own email
 * (`recovery/emails.ts`).
 */
export async function sendEnd(
  tx: Transaction,
  subscription: Subscription,
  { isDisputed = false }: { isDisputed?: boolean } = {},
): Promise<void> {
  const { name: subscriptionName, status, canceledAt, renewedUntil } = subscription
  const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
  const unpaid = await unpaidOf(tx.sql, { id: subscription.id, runsUntil: renewedUntil })
  const about = { to, locale, subscriptionId: subscription.id }
  if (status === 'on_grace_period' && renewedUntil) {
    const moments = { canceledAt: toWire(canceledAt ?? tx.now), endsAt: toWire(renewedUntil) }
    await enqueueEmail(tx, {
      ...about,
      content: { ...common, portalUrl, kind: 'cancellation', subscriptionName, ...moments, unpaid, isDisputed },
    })
  } else {
    const underway = unpaid?.total ?? null
    await enqueueEmail(tx, {
      ...about,
      content: { ...common, kind: 'subscription_ended', subscriptionName, underway, isDisputed },
    })
  }
}
