import type { Transaction } from '../../modules/events/transact.ts'
import { fewerUnits } from '../../modules/orders/rules/fewer-units.ts'
import type { Order, OrderLine } from '../../modules/orders/rules/order.ts'
import { saveOrder, unpaidOrders } from '../../modules/orders/store.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as payments from '../../modules/payments/store.ts'

/** Attempts to pay the orders of a locked subscription. */

/** The open attempt to pay an order, or null. */
export async function openAttempt({ sql }: Transaction, order: Order): Promise<payments.Payment | null> {
  const last = await payments.lastPayment(sql, order.id)
  return last && !paymentStates.isFinal(last.status) ? last : null
}

/**
 * Withdraws an attempt that nobody can pay: a test helper decides it, or the buyer has no address of its page yet. False
 * if a provider still decides the attempt.
 */
export async function withdraw({ sql, now }: Transaction, attempt: payments.Payment | null): Promise<boolean> {
  if (!attempt) return true
  const isUnopened = attempt.purpose.kind === 'sale' && attempt.status === 'created'
  if (!payments.isSimulated(attempt) && !isUnopened) return false
  const status = paymentStates.on(attempt.status, 'cancel', 'payment_finished')
  await payments.savePayment(sql, { ...attempt, status, finishedAt: now })
  return true
}

/** The unpaid orders of a subscription whose amount is fixed by an open attempt or by an invoice. */
export async function ordersThatStand(tx: Transaction, subscriptionId: string): Promise<Order[]> {
  const orders = await unpaidOrders(tx.sql, subscriptionId)
  const attempts = await Promise.all(orders.map((order) => openAttempt(tx, order)))
  return orders.filter(({ invoice }, index) => attempts[index] || invoice)
}

/**
 * After a consumer withdrew from units, reduces unpaid orders of periods with these units. They are collected as
 * before. An open charge keeps its amount until it fails. The lock on the subscription prevents other charges
 * meanwhile. Returns the previous line of each order, by order id.
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
