import { findOrder } from '../orders/store.ts'
import type { TaskScope } from '../platform/tasks.ts'
import { transact } from '../platform/transact.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { takeStep } from './follow.ts'
import * as store from './store.ts'

/** The task of a recovery's next step. One that was set for another step, or whose recovery is over, does nothing. */
export async function stepDue(
  scope: TaskScope,
  { recoveryId, stepsDone }: { recoveryId: string; stepsDone: number },
): Promise<void> {
  await transact(scope, async (work) => {
    const { subscriptionId } = (await store.findRecovery(work.sql, scope, recoveryId)) ?? {}
    const subscription = subscriptionId && (await lockSubscription(work.sql, scope, subscriptionId))
    const recovery = await store.findRecovery(work.sql, scope, recoveryId)
    if (!subscription || recovery?.status !== 'open' || recovery.stepsDone !== stepsDone) return
    const order = await findOrder(work.sql, scope, recovery.orderId)
    if (!order) throw new Error(`recovery ${recoveryId} has no order`)
    await takeStep(work, { subscription, order, recovery })
  })
}
