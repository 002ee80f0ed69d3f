import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, sum } from '../../kernel/money.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { ordersOwedBy } from '../../modules/orders/owed-sale.ts'
import { unpaidOf } from '../../modules/outstanding/unpaid.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import type { Sql } from '../../platform/db/db.ts'
import { recipientOf } from './recipients.ts'

/** The email states the amount that is still collected, so call this function after unpaid orders were written off. */
export async function sendEnd(
  tx: Transaction,
  subscription: Subscription,
  { isDisputed = false }: { isDisputed?: boolean } = {},
): Promise<void> {
  const { name: subscriptionName, status, canceledAt, renewedUntil } = subscription
  const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
  const about = { to, locale, subscriptionId: subscription.id }
  if (status === 'on_grace_period' && renewedUntil) {
    const unpaid = await unpaidOf(tx.sql, { id: subscription.id, runsUntil: renewedUntil })
    const moments = { canceledAt: toWire(canceledAt ?? tx.now), endsAt: toWire(renewedUntil) }
    await enqueueEmail(tx, {
      ...about,
      content: { ...common, portalUrl, kind: 'cancellation', subscriptionName, ...moments, unpaid, isDisputed },
    })
  } else {
    const underway = await underwayOf(tx.sql, subscription.id)
    await enqueueEmail(tx, {
      ...about,
      content: { ...common, kind: 'subscription_ended', subscriptionName, underway, isDisputed },
    })
  }
}

/**
 * Returns the amount of pending charges. Excludes orders whose recovery is still open, such as an unpaid sale that
 * includes another running subscription.
 */
async function underwayOf(sql: Sql, subscriptionId: string): Promise<Amount | null> {
  const owed = await ordersOwedBy(sql, subscriptionId)
  const isCollected = await Promise.all(owed.map(async ({ id }) => (await recoveryOfOrder(sql, id))?.status === 'open'))
  const arriving = owed.filter((_, index) => !isCollected[index])
  const [first] = arriving
  return first ? amount(sum(arriving.map(({ total }) => total)), first.currency) : null
}
