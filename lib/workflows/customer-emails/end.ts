import { toWire } from '../../kernel/moment.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { unpaidOf } from '../../modules/recovery/unpaid.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { recipientOf } from './recipients.ts'

/**
 * Emails the customer of a subscription that was canceled: until when it runs, or that it has ended, and what is still
 * collected. Call it once what is not collected any more was written off. The end for
 * non-payment has an email of its own (`recovery/emails.ts`).
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
