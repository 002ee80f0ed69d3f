import { Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import { changeOfOrder } from '../../modules/subscriptions/charged-changes.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { endWithoutChange } from './charge-outcome.ts'
import { endRecovery, writeOffOrder } from './write-off.ts'

/** Refuses with `not_found`, `order_not_in_recovery`, or `renewal_order`. While a charge of the order is pending, refuses with `already_in_flight`. */
export async function cancelRecovery(context: RequestContext, orderId: string): Promise<void> {
  await transact(context, (tx) => endRecoveryOfChange(tx, orderId))
}

export async function isUnpaidChange(sql: Sql, { id, status }: Order): Promise<boolean> {
  if (status !== 'pending' || (await recoveryOfOrder(sql, id))?.status !== 'open') return false
  return (await changeOfOrder(sql, id)) !== null
}

async function endRecoveryOfChange(tx: Transaction, orderId: string): Promise<void> {
  const { sql, ...tenant } = tx
  const { subscriptionId } = (await findOrder(sql, tenant, orderId)) ?? {}
  const subscription = subscriptionId ? await lockSubscription(sql, tenant, subscriptionId) : null
  // The order may have changed before this transaction got the lock, so it is read again.
  const order = await findOrder(sql, tenant, orderId)
  if (!order) throw new Refusal('not_found')
  const recovery = await recoveryOfOrder(sql, orderId)
  if (recovery?.status !== 'open' || order.status !== 'pending') throw new Refusal('order_not_in_recovery')
  const change = await changeOfOrder(sql, orderId)
  if (!subscription || !change) throw new Refusal('renewal_order')
  if (!(await withdraw(tx, await openAttempt(tx, order)))) throw new Refusal('already_in_flight')
  await endRecovery(tx, order)
  await writeOffOrder(tx, order)
  await endWithoutChange(tx, { subscription, order, change })
}
