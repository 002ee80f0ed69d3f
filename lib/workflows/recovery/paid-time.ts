import type { Transaction } from '../../modules/events/transact.ts'
import { lastPaidPeriod } from '../../modules/subscriptions/periods.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { endAtPaidPeriod, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { endPeriods, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'

/**
 * If the current period was billed early (for instance by a fast-forward) and is not paid, a grace period lasts until
 * the end of the last paid period. False without paid time, and without a cancellation.
 */
export async function endWithPaidTime(tx: Transaction, subscription: Subscription): Promise<boolean> {
  if (subscription.status !== 'on_grace_period') return false
  const next = await giveUpUnpaidPeriod(tx, subscription)
  if (next === null || next === subscription) return next !== null
  const object = await currentSubscription(tx.sql, next)
  await tx.emit({ name: 'subscription.updated', reason: 'updated_immediately', object })
  await setTimer(tx, next)
  return true
}

/**
 * Returns the subscription at its last paid period if the current period was billed early and is not paid, the
 * unchanged subscription if the current period is paid, and null if no paid time is left. The caller emits the event.
 */
export async function giveUpUnpaidPeriod(tx: Transaction, subscription: Subscription): Promise<Subscription | null> {
  const paid = await lastPaidPeriod(tx.sql, subscription.id)
  if (!paid || paid.endAt <= tx.now) return null
  if (paid.startAt.getTime() === subscription.period?.startAt.getTime()) return subscription
  const next = endAtPaidPeriod(subscription, paid)
  await endPeriods(tx.sql, subscription.id, paid.endAt)
  await saveSubscription(tx.sql, next)
  return next
}
