import type { Transaction } from '../../modules/events/transact.ts'
import { fewerUnits } from '../../modules/orders/rules/fewer-units.ts'
import type { Order, OrderLine } from '../../modules/orders/rules/order.ts'
import { saveOrder, unpaidOrders } from '../../modules/orders/store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as payments from '../../modules/payments/store.ts'

export async function openAttempt({ sql }: Transaction, order: Order): Promise<payments.Payment | null> {
  const last = await payments.lastPayment(sql, order.id)
  return last && !paymentStates.isFinal(last.status) ? last : null
}

/**
 * Cancels an attempt if a test helper decides its outcome, or if the payment page of the provider has no URL yet. Returns false if the provider
 * still decides the outcome.
 */
export async function withdraw({ sql, now }: Transaction, attempt: payments.Payment | null): Promise<boolean> {
  if (!attempt) return true
  const isUnopened = attempt.purpose.kind === 'sale' && attempt.status === 'created'
  if (!payments.isSimulated(attempt) && !isUnopened) return false
  const status = paymentStates.on(attempt.status, 'cancel', 'payment_finished')
  await payments.savePayment(sql, { ...attempt, status, finishedAt: now })
  return true
}

/** Returns the unpaid orders whose amount is final, because they have an open attempt or an invoice. */
export async function ordersThatStand(tx: Transaction, subscriptionId: string): Promise<Order[]> {
  const orders = await unpaidOrders(tx.sql, subscriptionId)
  const attempts = await Promise.all(orders.map((order) => openAttempt(tx, order)))
  return orders.filter(({ invoice }, index) => attempts[index] || invoice)
}

/**
 * Removes `units` from the unpaid orders, except orders with an open charge, which keep their amount until the charge
 * fails. Returns, by order id, the order line before the reduction.
 */
export async function reduceOutstanding(
  tx: Transaction,
  subscriptionId: string,
  units: number,
): Promise<Map<string, OrderLine>> {
  const reduced = new Map<string, OrderLine>()
  for (const order of await unpaidOrders(tx.sql, subscriptionId)) {
    const fewer = fewerUnits(order, units)
    if (!fewer || (await openAttempt(tx, order))) continue
    await saveOrder(tx.sql, fewer.order, { lines: true })
    reduced.set(order.id, fewer.before)
  }
  return reduced
}
