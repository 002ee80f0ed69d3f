import type { Transaction } from '../../modules/events/transact.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import * as store from '../../modules/recovery/store.ts'
import { unpaidFrom } from '../../modules/subscriptions/periods.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { cancelNow, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'
import { sendEnd } from '../customer-emails/end.ts'
import { endWithPaidTime } from './paid-time.ts'
import { writeOffOrder } from './write-off.ts'

export const isEndedByDispute = (
  { mandate, status }: Subscription,
  { mandateId }: { readonly mandateId: string | null },
): boolean => status === 'on_grace_period' && mandate === null && mandateId !== null

/** Writes off an unpaid order of a subscription that a dispute has canceled. If no paid time is left, the subscription ends immediately. */
export async function endUnpaid(
  tx: Transaction,
  { subscription, order }: { readonly subscription: Subscription; readonly order: Order },
  { reason, isReturned = false }: { readonly reason: FailureReason; readonly isReturned?: boolean },
): Promise<void> {
  const recovery = await store.recoveryOfOrder(tx.sql, order.id)
  const paymentFailure = rules.finalFailure(reason, tx.now)
  if (recovery === null || isReturned)
    await tx.emit({ name: 'order.payment_failed', object: orderResource({ ...order, paymentFailure }) })
  if (recovery && isReturned) await store.saveRecovery(tx.sql, rules.endReturned(recovery, tx.now))
  else if (recovery?.status === 'open') await store.saveRecovery(tx.sql, rules.finish(recovery, 'end', tx.now))
  await writeOffOrder(tx, order)
  const unpaid = await unpaidFrom(tx.sql, subscription.id)
  if (unpaid === null) return
  if (unpaid > tx.now) {
    await endWithPaidTime(tx, subscription)
    return
  }
  const cancellationReason = subscription.cancellationReason ?? 'payment_failure'
  const ended = cancelNow(subscription, { reason: cancellationReason, now: tx.now })
  await saveSubscription(tx.sql, ended)
  await tx.emit({ name: 'subscription.canceled_immediately', object: await currentSubscription(tx.sql, ended) })
  await sendEnd(tx, ended, { isDisputed: true })
}
