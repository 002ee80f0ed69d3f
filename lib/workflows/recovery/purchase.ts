import { addDuration } from '../../kernel/calendar.ts'
import { amount } from '../../kernel/money.ts'
import { lockCheckout } from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { notifyMembers } from '../../modules/operators/notify-members.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { isOwedSale, type Order } from '../../modules/orders/rules/order.ts'
import { findOrder, lockOrder } from '../../modules/orders/store.ts'
import { findWithdrawals } from '../../modules/orders/withdrawals.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import type { Payment } from '../../modules/payments/store.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import * as store from '../../modules/recovery/store.ts'
import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { isOngoing, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { setTimers } from '../../modules/subscriptions/timer.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import { sendPurchaseUnpaid } from '../customer-emails/purchase-unpaid.ts'
import { receiptsOf } from '../customer-emails/receipts.ts'
import { paidEvent, payOrder } from '../invoicing/pay-orders.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { endForNonpayment } from './charge-outcome.ts'
import { chargeOnNewMethod } from './sale-charge.ts'
import { writeOffOrder } from './write-off.ts'

/** A checkout's order whose direct debit the bank returned. Renewals of the sold subscriptions wait for the end of the recovery. */
export interface Purchase {
  readonly order: Order
  readonly sold: readonly Subscription[]
}

/**
 * Locks the checkout, then the subscriptions, and then the order, in the same sequence as the code that applies a bank notice.
 */
export async function lockPurchase(tx: Transaction, orderId: string): Promise<Purchase | null> {
  const { sql, ...tenant } = tx
  const found = await findOrder(sql, tenant, orderId)
  const checkout = found?.checkoutId ? await lockCheckout(sql, tenant, found.checkoutId) : null
  if (!checkout) return null
  const lineIds = checkout.lines.map(({ id }) => id)
  const sold = await lockSubscriptionsOfLines(sql, tenant, lineIds)
  const order = await lockOrder(sql, tenant, orderId)
  return order && { order, sold: [...sold.values()] }
}

export async function beginPurchaseRecovery(tx: Transaction, order: Order, reason: FailureReason): Promise<void> {
  const { sql, now, newId, emit } = tx
  const before = await store.recoveryOfOrder(sql, order.id)
  const of = { subscriptionId: null, orderId: order.id, collects: 'sale' as const }
  const recovery = rules.open({ id: before?.id ?? newId('recovery_'), ...of, reason, simulated: false, now })
  if (before) await store.reopenRecovery(sql, recovery)
  else await store.insertRecovery(sql, tx, recovery)
  const paymentFailure = rules.paymentFailure(recovery)
  await emit({ name: 'order.payment_failed', object: orderResource({ ...order, paymentFailure }) })
  failpoint('return.purchase_reopened')
  await remind(tx, order, recovery)
}

/**
 * Sends the next email of the recovery, or writes the order off at the last step. Postpones the step while the buyer's
 * open payment has no outcome.
 */
export async function runPurchaseStep(
  tx: Transaction,
  { order, sold }: Purchase,
  recovery: rules.Recovery,
): Promise<Reschedule | undefined> {
  if (!(await withdraw(tx, await openAttempt(tx, order))))
    return new Reschedule(addDuration(tx.now, { days: 1 }) ?? tx.now)
  if (!rules.isLastStep(recovery)) {
    await remind(tx, order, recovery)
    return
  }
  await exhaustPurchase(tx, { order, sold }, recovery)
  return
}

export async function exhaustPurchase(
  tx: Transaction,
  { order, sold }: Purchase,
  recovery: rules.Recovery,
): Promise<void> {
  await store.saveRecovery(tx.sql, rules.finish(recovery, 'exhaust', tx.now))
  await writeOffOrder(tx, order)
  for (const subscription of sold) if (isOngoing(subscription)) await endForNonpayment(tx, { subscription, order })
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

/** `reason` is null if the buyer gave up. If the buyer chose another payment method during the attempt, that method is charged. */
export async function purchaseUnpaid(
  tx: Transaction,
  { order, sold }: Purchase,
  reason: FailureReason | null,
): Promise<void> {
  if (!isOwedSale(order)) return
  const recovery = await store.recoveryOfOrder(tx.sql, order.id)
  if (recovery?.status !== 'open') return writeOffOrder(tx, order)
  if (reason) await store.saveRecovery(tx.sql, rules.failedAgain(recovery, reason, tx.now))
  await chargeOnNewMethod(tx, order, sold)
}

export async function payPurchase(
  tx: Transaction,
  { order, sold }: Purchase,
  { method }: Pick<Payment, 'method'>,
): Promise<void> {
  const recovery = await store.recoveryOfOrder(tx.sql, order.id)
  if (recovery?.status === 'open') await store.saveRecovery(tx.sql, rules.finish(recovery, 'recover', tx.now))
  const subscriptions = sold.filter(isOngoing)
  const isWithdrawn = recovery?.status === 'ended' && (await findWithdrawals(tx.sql, order.id)).length > 0
  const sendReceipts = await receiptsOf(tx, [order])
  await payOrder(tx, order, method, (paid) =>
    Promise.all([
      tx.emit(paidEvent(tx, paid)),
      isWithdrawn ? notifyOfArrival(tx, paid) : null,
      sendReceipts([{ order: paid, subscriptions, isRecovered: subscriptions.length > 0 }]),
    ]),
  )
  const ids = subscriptions.map(({ id }) => id)
  const held = await store.heldByRecovery(tx.sql, ids)
  await setTimers(
    tx,
    subscriptions.filter(({ id }) => !held.has(id)),
  )
}

async function notifyOfArrival(tx: Transaction, { id, invoice, total, currency }: Order): Promise<void> {
  const number = invoice?.number ?? id
  const arrived = { arrived: amount(total, currency), invoiceNumber: number, isOfUnits: false }
  await notifyMembers(tx, { kind: 'withdrawal_declared', number, ...arrived }, `/orders/${id}#withdrawal`)
}
