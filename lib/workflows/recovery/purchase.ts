import { addDuration } from '../../kernel/calendar.ts'
import { lockCheckout } from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder, lockOrder } from '../../modules/orders/store.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import type { Payment } from '../../modules/payments/store.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import * as store from '../../modules/recovery/store.ts'
import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import { sendPurchaseUnpaid } from '../customer-emails/purchase-unpaid.ts'
import { receiptsOf } from '../customer-emails/receipts.ts'
import { paidEvent, payOrder } from '../invoicing/pay-orders.ts'
import { openAttempt } from './attempts.ts'
import { writeOffOrder } from './write-off.ts'

/**
 * The recovery of a purchase: an order of a checkout without a subscription, whose direct debit the bank returned. The
 * order cannot be charged without the buyer. The emails link to the checkout page, where the buyer pays.
 */

/** The order of a checkout, with the checkout locked first, as its payments lock it. Null if this tenant has no such order. */
export async function lockPurchase(tx: Transaction, orderId: string): Promise<Order | null> {
  const { sql, ...tenant } = tx
  const found = await findOrder(sql, tenant, orderId)
  if (!found?.checkoutId) return null
  await lockCheckout(sql, tenant, found.checkoutId)
  return lockOrder(sql, tenant, orderId)
}

/** Begins the recovery of an open order, or its earlier recovery again, with `order.payment_failed` and the first email. */
export async function beginPurchaseRecovery(tx: Transaction, order: Order, reason: FailureReason): Promise<void> {
  const { sql, now, newId, emit } = tx
  const before = await store.recoveryOfOrder(sql, order.id)
  const of = { subscriptionId: null, orderId: order.id, collects: 'sale' as const }
  const recovery = rules.open({ id: before?.id ?? newId('recovery_'), ...of, reason, simulated: false, now })
  if (before) await store.reopenRecovery(sql, recovery)
  else await store.insertRecovery(sql, tx, recovery)
  await emit({ name: 'order.payment_failed', object: orderResource(order) })
  failpoint('return.purchase_reopened')
  await remind(tx, order, recovery)
}

/**
 * Runs the due step: another email, or the write-off. Both wait for the outcome of an open payment of the buyer.
 */
export async function runPurchaseStep(tx: Transaction, recovery: rules.Recovery): Promise<Reschedule | undefined> {
  const order = await findOrder(tx.sql, tx, recovery.orderId)
  if (!order) throw new Error(`recovery ${recovery.id} has no order`)
  if (await openAttempt(tx, order)) return new Reschedule(addDuration(tx.now, { days: 1 }) ?? tx.now)
  if (!rules.isLastStep(recovery)) {
    await remind(tx, order, recovery)
    return
  }
  await store.saveRecovery(tx.sql, rules.finish(recovery, 'exhaust', tx.now))
  await writeOffOrder(tx, order)
  return
}

async function remind(tx: Transaction, order: Order, recovery: rules.Recovery): Promise<void> {
  const reminded = rules.stepDone(recovery, tx.now)
  await store.saveRecovery(tx.sql, reminded)
  const { id, stepsDone, nextStepAt } = reminded
  if (!nextStepAt) throw new Error(`recovery ${id} has no end`)
  await tx.enqueue(recoveryStep, { key: `${id} ${stepsDone}`, data: { recoveryId: id, stepsDone }, dueAt: nextStepAt })
  await sendPurchaseUnpaid(tx, order, {
    endsAt: rules.endsAt(reminded) ?? nextStepAt,
    isReminder: recovery.stepsDone > 0,
  })
}

/** The buyer paid the locked order: its invoice becomes paid again, with the receipt and `order.paid`. */
export async function payPurchase(tx: Transaction, order: Order, { method }: Pick<Payment, 'method'>): Promise<void> {
  const recovery = await store.recoveryOfOrder(tx.sql, order.id)
  if (recovery?.status === 'open') await store.saveRecovery(tx.sql, rules.finish(recovery, 'recover', tx.now))
  const sendReceipts = await receiptsOf(tx, [order])
  await payOrder(tx, order, method, (paid) =>
    Promise.all([tx.emit(paidEvent(tx, paid)), sendReceipts([{ order: paid, subscriptions: [] }])]),
  )
}
