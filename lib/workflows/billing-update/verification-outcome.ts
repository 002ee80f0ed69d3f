import { transact } from '../../modules/events/transact.ts'
import { findOrder, openVerification } from '../../modules/orders/store.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { lastPayment, type Payment } from '../../modules/payments/store.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { providerFor } from '../../providers/index.ts'
import { cancelAtProvider } from '../collection/cancel-at-provider.ts'
import { cancelPending } from '../collection/pending-on-page.ts'
import { applyVerificationUpdate, endUnverified } from './verify.ts'

export async function cancelOpenVerification(tenant: Tenant, subscriptionId: string): Promise<void> {
  const order = await openVerification(db(), subscriptionId)
  if (order) await cancelAttempt(tenant, order.id)
}

export async function askForVerification(tenant: Tenant, payment: Payment): Promise<void> {
  if (payment.ref === null) return
  const update = await providerFor(payment).fetchPayment(tenant, payment.ref)
  await transact(tenant, (tx) => applyVerificationUpdate(tx, payment, update))
}

async function cancelAttempt(tenant: Tenant, orderId: string): Promise<void> {
  const payment = await lastPayment(db(), orderId)
  const update = await cancelAtProvider(withoutCompletion(tenant), payment)
  if (payment && update) await transact(withoutCompletion(tenant), (tx) => applyVerificationUpdate(tx, payment, update))
}

/**
 * Runs when the link expires, and ends a verification that has no outcome. If the buyer has already confirmed the
 * payment, waits for the outcome of the payment.
 */
export async function expireVerification(tenant: TaskContext, { orderId }: { orderId: string }): Promise<void> {
  await cancelAttempt(tenant, orderId)
  await transact(tenant, async (tx) => {
    const { sql, now } = tx
    const { subscriptionId } = (await findOrder(sql, tenant, orderId)) ?? {}
    const subscription = subscriptionId ? await lockSubscription(sql, tenant, subscriptionId) : null
    const order = subscription && (await openVerification(sql, subscription.id))
    if (!subscription || order?.id !== orderId) return
    const last = await lastPayment(sql, orderId)
    if (last?.status === 'open') return new Reschedule(now)
    if (last?.status === 'pending') return new Reschedule(nextLook(last.createdAt, now))
    if (last?.status === 'created') await cancelPending(sql, last, now)
    await endUnverified(tx, order)
    return
  })
}
