import { transact } from '../../modules/events/transact.ts'
import { findOrder } from '../../modules/orders/store.ts'
import * as store from '../../modules/recovery/store.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { runStep } from './charge-outcome.ts'
import { lockPurchase, runPurchaseStep } from './purchase.ts'

/** Does nothing if the task is for an earlier step, or if the recovery has ended. */
export async function runDueStep(
  tenant: TaskContext,
  { recoveryId, stepsDone }: { recoveryId: string; stepsDone: number },
): Promise<void> {
  await transact(tenant, async (tx) => {
    const before = await store.findRecovery(tx.sql, tenant, recoveryId)
    if (!before) return
    const { subscriptionId, orderId } = before
    const purchase = subscriptionId === null ? await lockPurchase(tx, orderId) : null
    const subscription = subscriptionId && (await lockSubscription(tx.sql, tenant, subscriptionId))
    const recovery = await store.findRecovery(tx.sql, tenant, recoveryId)
    if (recovery?.status !== 'open' || recovery.stepsDone !== stepsDone) return
    if (purchase) return runPurchaseStep(tx, purchase, recovery)
    if (!subscription) throw new Error(`recovery ${recoveryId} has neither a purchase nor a subscription`)
    const order = await findOrder(tx.sql, tenant, recovery.orderId)
    if (!order) throw new Error(`recovery ${recoveryId} has no order`)
    await runStep(tx, { subscription, order, recovery })
  })
}

export { cancelRecovery, isUnpaidChange } from './cancel-order.ts'
