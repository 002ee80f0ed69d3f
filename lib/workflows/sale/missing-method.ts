import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { transact } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { chargeWithoutMethod } from '../../modules/subscriptions/missing-method.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { askForMissingMethod } from '../../modules/subscriptions/tasks.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { askForMethod } from '../customer-emails/payment-method-missing.ts'

/**
 * Asks the customer for a payment method, and notifies the members, if the subscription has no method but will be
 * charged. Otherwise does nothing.
 */
export async function askWhereMethodIsMissing(
  tenant: TaskContext,
  { subscriptionId }: z.infer<typeof askForMissingMethod.data>,
): Promise<void> {
  await transact(tenant, async (tx) => {
    const subscription = await lockSubscription(tx.sql, tenant, subscriptionId)
    const next = subscription && chargeWithoutMethod(subscription, tx.now)
    if (!next) return
    await askForMethod(tx, subscription, 'unsaved')
    const notice = {
      kind: 'renewal_uncollectable',
      subscriptionName: subscription.name,
      amount: amount(next.total, next.currency),
      dueAt: toWire(next.at),
      method: null,
      broken: 'unsaved',
      limit: null,
    } as const
    await notifyMembers(tx, notice, `/subscriptions/${subscriptionId}`)
  })
}
