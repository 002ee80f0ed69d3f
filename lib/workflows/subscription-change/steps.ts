import type { Transaction } from '../../modules/events/transact.ts'
import type { OrderLine } from '../../modules/orders/rules/order.ts'
import { billedBy } from '../../modules/subscriptions/billed-by.ts'
import { saveFeedback } from '../../modules/subscriptions/feedback.ts'
import { lockOrRefuse } from '../../modules/subscriptions/lock.ts'
import { orderOfPeriod } from '../../modules/subscriptions/periods.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import * as store from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { announceChangedCharge, announceResumedCharge } from '../customer-emails/changed-charge.ts'
import { sendEnd } from '../customer-emails/end.ts'
import { reduceOutstanding } from '../recovery/attempts.ts'
import { announceLowerRetries } from '../recovery/emails.ts'
import { cancelRemoved, keepRemaining } from '../recovery/taken-back.ts'
import { writeOffOutstanding } from '../recovery/write-off.ts'
import { renewsForTooLittle } from './charge-limits.ts'

/** Returns false if the cancellation would change nothing. Refuses with `not_found` or `subscription_not_cancelable`. */
export async function cancelSubscription(
  tx: Transaction,
  id: string,
  {
    immediately,
    reason,
    feedback = null,
    isDisputed = false,
  }: {
    immediately: boolean
    reason: 'merchant_request' | 'customer_request' | 'payment_failure'
    feedback?: rules.CancellationFeedback | null
    isDisputed?: boolean
  },
): Promise<boolean> {
  const subscription = await lockOrRefuse(tx, id)
  const canceled = rules.cancel(subscription, { immediately, reason, now: tx.now })
  if (!canceled) return false
  const next = feedback ? { ...canceled.next, cancellationFeedback: feedback } : canceled.next
  await store.saveSubscription(tx.sql, next)
  if (feedback) await saveFeedback(tx.sql, tx, next, tx.now)
  if (next.status === 'canceled') await writeOffOutstanding(tx, next)
  await tx.emit({ name: canceled.event, object: await currentSubscription(tx.sql, next) })
  await setTimer(tx, next)
  await sendEnd(tx, next, { isDisputed })
  return true
}

/**
 * Applies a consumer's withdrawal from `units` units. Ends the subscription if no unit is left. Reduces the unpaid orders. Also reduces `period.paid` of
 * the current period if the sale billed this period (`sold`), or if the period's order is unpaid. If the provider cannot charge the remaining units,
 * they continue until the end of the paid time, because a withdrawal cannot be refused. Returns the remaining quantity, or null if the subscription
 * ended. Refuses with `not_found`, or with `subscription_not_cancelable` if the subscription had already ended.
 */
export async function withdrawUnits(
  tx: Transaction,
  id: string,
  units: number,
  sold: { readonly orderId: string; readonly line: OrderLine } | null,
): Promise<number | null> {
  const before = await lockOrRefuse(tx, id)
  if (before.quantity <= units || before.status === 'canceled') {
    await cancelSubscription(tx, id, { immediately: true, reason: 'customer_request' })
    return null
  }
  const owed = await reduceOutstanding(tx, id, units)
  const orderId = await orderOfPeriod(tx.sql, id)
  const line = orderId === null ? null : ((orderId === sold?.orderId ? sold.line : owed.get(orderId)) ?? null)
  const withdrawn = rules.withdrawUnits(before, units, line && billedBy(before, line))
  await store.saveSubscription(tx.sql, withdrawn)
  const next = await cancelRemoved(tx, withdrawn)
  await keepRemaining(tx, next)
  const object = await currentSubscription(tx.sql, next)
  await tx.emit({ name: 'subscription.updated', reason: 'updated_immediately', object })
  await setTimer(tx, next)
  if (!renewsForTooLittle(next, tx.now)) {
    await announceLowerRetries(tx, next, new Set(owed.keys()))
    await announceChangedCharge(tx, before, next)
    return next.quantity
  }
  await cancelSubscription(tx, id, { immediately: false, reason: 'customer_request' })
  // If no paid time is left, the cancellation has ended the subscription.
  return (await lockOrRefuse(tx, id)).status === 'canceled' ? null : next.quantity
}

/** Refuses with `not_found` or `subscription_not_resumable`. */
export async function resumeSubscription(tx: Transaction, id: string): Promise<rules.Subscription> {
  const next = rules.resume(await lockOrRefuse(tx, id), tx.now)
  await store.saveSubscription(tx.sql, next)
  await saveFeedback(tx.sql, tx, next, tx.now)
  await tx.emit({ name: 'subscription.resumed', object: await currentSubscription(tx.sql, next) })
  await setTimer(tx, next)
  await announceResumedCharge(tx, next)
  return next
}
