import { endVerification } from '../../modules/billing-updates/tasks.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { owedSaleOf } from '../../modules/orders/owed-sale.ts'
import { settledOrder } from '../../modules/orders/resource.ts'
import { isOwedSale, type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { lockOrder, openVerification, saveOrder, unpaidOrders } from '../../modules/orders/store.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import * as store from '../../modules/recovery/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { isSaleOver } from '../../modules/subscriptions/store.ts'
import { resolveFastForwards } from '../../modules/test-helpers/store.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { writeOffInvoice } from '../invoicing/write-off-invoice.ts'
import { openAttempt, withdraw } from './attempts.ts'

/**
 * Writes off the unpaid orders, and schedules the end of an open verification. An order with an open charge stays
 * unpaid until the charge has an outcome. A charge that waits for a test helper is withdrawn, unless `simulated` is
 * `wait`.
 */
export async function writeOffOutstanding(
  tx: Transaction,
  subscription: Subscription,
  simulated: 'take back' | 'wait' = 'take back',
): Promise<void> {
  for (const order of await unpaidOrders(tx.sql, subscription.id)) {
    await endRecovery(tx, order)
    const attempt = await openAttempt(tx, order)
    if (attempt && simulated === 'wait') continue
    if (await withdraw(tx, attempt)) await writeOffOrder(tx, order)
  }
  await writeOffSale(tx, subscription.id)
  const verification = await openVerification(tx.sql, subscription.id)
  if (verification)
    await tx.enqueue(endVerification, {
      key: verification.id,
      data: { orderId: verification.id },
      dueAt: tx.now,
    })
}

/**
 * Writes off an unpaid sale whose last subscription has ended. The lock on the order ensures that two concurrent
 * cancellations write off the sale only once. The caller has locked and saved the subscription.
 */
async function writeOffSale(tx: Transaction, subscriptionId: string): Promise<void> {
  const { sql, ...tenant } = tx
  const found = await owedSaleOf(sql, subscriptionId)
  const order = found && (await lockOrder(sql, tenant, found.id))
  if (!order?.checkoutId || !isOwedSale(order) || !(await isSaleOver(sql, order.checkoutId))) return
  await stopCollecting(tx, order)
}

/**
 * Ends the recovery of the order, and writes the order off. If an attempt has no outcome yet, the order waits, and the
 * outcome decides whether it is paid or written off (`purchase.ts`). Returns whether the order waits.
 */
export async function stopCollecting(tx: Transaction, order: Order): Promise<boolean> {
  await endRecovery(tx, order)
  failpoint('write_off.recovery_ended')
  if (!(await withdraw(tx, await openAttempt(tx, order)))) return true
  await writeOffOrder(tx, order)
  return false
}

export async function endRecovery(tx: Transaction, order: Order): Promise<void> {
  const recovery = await store.recoveryOfOrder(tx.sql, order.id)
  if (recovery?.status === 'open') await store.saveRecovery(tx.sql, rules.finish(recovery, 'end', tx.now))
}

/** Cancels the order. If the order has an invoice because the bank returned its debit, a credit note reverses the invoice. */
export async function writeOffOrder(tx: Transaction, order: Order): Promise<void> {
  const { sql, emit } = tx
  const canceled = { ...order, status: orderStates.on(order.status, 'cancel') }
  await saveOrder(sql, canceled)
  failpoint('write_off.order_canceled')
  await resolveFastForwards(sql, [order.id])
  await emit({ name: 'order.canceled', object: settledOrder(canceled) })
  await writeOffInvoice(tx, canceled)
  failpoint('write_off.credited')
}
