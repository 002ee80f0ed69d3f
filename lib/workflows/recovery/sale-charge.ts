import type { Transaction } from '../../modules/events/transact.ts'
import { owedSaleOf } from '../../modules/orders/owed-sale.ts'
import { isOwedSale, type Order } from '../../modules/orders/rules/order.ts'
import { lockOrder } from '../../modules/orders/store.ts'
import { untriedMandates } from '../../modules/payments/untried-mandates.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import { isOngoing, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { enqueueCharge } from '../invoicing/bill.ts'
import { openAttempt, withdraw } from './attempts.ts'

/**
 * Charges the unpaid sale of a subscription on a new payment method, and returns the charged order, or null. Locks the
 * order, because the buyer can also pay on the checkout page.
 */
export async function chargeOwedSale(tx: Transaction, subscription: Subscription): Promise<Order | null> {
  const { sql, ...tenant } = tx
  const found = await owedSaleOf(sql, subscription.id)
  const order = found && (await lockOrder(sql, tenant, found.id))
  return order && (await chargeOnNewMethod(tx, order, [subscription])) ? order : null
}

/** Charges a payment method that a subscription got after the bank returned the payment. Each method is charged once. Returns whether the order is charged. */
export async function chargeOnNewMethod(
  tx: Transaction,
  order: Order,
  sold: readonly Subscription[],
): Promise<boolean> {
  const recovery = isOwedSale(order) ? await recoveryOfOrder(tx.sql, order.id) : null
  if (recovery?.status !== 'open') return false
  const chargeable = sold.filter((each) => isOngoing(each) && each.mandate?.status === 'valid')
  const ids = chargeable.flatMap(({ mandate }) => mandate?.id ?? [])
  const untried = await untriedMandates(tx.sql, order.id, { ids, since: recovery.startedAt })
  const subscription = chargeable.find(({ mandate }) => mandate !== null && untried.has(mandate.id))
  if (!subscription || !(await withdraw(tx, await openAttempt(tx, order)))) return false
  const payment = await enqueueCharge(tx, subscription, order, { simulated: false })
  return payment !== null
}
