import type { Transaction } from '../../modules/events/transact.ts'
import { lastPaidPeriod } from '../../modules/subscriptions/periods.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { endAtPaidPeriod, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { endPeriods, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'

/**
 * Ends a grace period at the end of the last paid period. The grace period can be longer, because a fast-forward can have billed a later, unpaid
 * period. Returns false if no paid time is left, or if the subscription is not in a grace period.
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

/** Sets the subscription back to its last paid period. Returns the subscription, or null if no paid time is left. The caller emits the event. */
export async function giveUpUnpaidPeriod(tx: Transaction, subscription: Subscription): Promise<Subscription | null> {
  const paid = await lastPaidPeriod(tx.sql, subscription.id)
  if (!paid || paid.endAt <= tx.now) return null
  if (paid.startAt.getTime() === subscription.period?.startAt.getTime()) return subscription
  const next = endAtPaidPeriod(subscription, paid)
  await endPeriods(tx.sql, subscription.id, paid.endAt)
  await saveSubscription(tx.sql, next)
  return next
}
