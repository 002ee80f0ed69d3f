import type { Transaction } from '../../modules/events/transact.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { unpaidOrders } from '../../modules/orders/store.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import * as payments from '../../modules/payments/store.ts'
import * as rules from '../../modules/recovery/rules/index.ts'
import * as store from '../../modules/recovery/store.ts'
import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { changeOfOrder } from '../../modules/subscriptions/charged-changes.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { type ChargedChange, cancelNow, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { isFastForwarded, resolveFastForwards } from '../../modules/test-helpers/store.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { enqueueCharge } from '../invoicing/bill.ts'
import { openAttempt, withdraw } from './attempts.ts'
import { sendChangeUndone, sendFinalNotice, sendReminder } from './emails.ts'
import { endUnpaid, isEndedByDispute } from './ended-by-dispute.ts'
import { endWithPaidTime } from './paid-time.ts'
import { chargeOwedSale } from './sale-charge.ts'
import { undoChange } from './undo-change.ts'
import { writeOffOrder, writeOffOutstanding } from './write-off.ts'

/** The functions of this file run in the transaction that applies the outcome. The caller holds the lock of the subscription. */

interface Charged {
  readonly subscription: Subscription
  readonly order: Order
}

/** Starts or continues a recovery, or ends it after its last step. Writes the order off if its subscription has ended or its change was reversed. */
export async function chargeFailed(tx: Transaction, { subscription, order }: Charged, failed: Failure): Promise<void> {
  if (isEndedByDispute(subscription, failed)) return endUnpaid(tx, { subscription, order }, failed)
  const isTaken = failed.mandateId !== null && subscription.mandate === null
  const failure = isTaken ? { ...failed, reason: rules.reasonWithout(null, failed.reason) } : failed
  const before = await store.recoveryOfOrder(tx.sql, order.id)
  if (before === null || failed.isReturned) {
    const change = await changeOfOrder(tx.sql, order.id)
    const isWanted = subscription.status !== 'canceled' && !change?.isTakenBack
    if (isWanted) return begin(tx, { subscription, order }, failure, before)
    await emitFailed(tx, order, rules.finalFailure(failure.reason, tx.now))
    if (before) await store.saveRecovery(tx.sql, rules.endReturned(before, tx.now))
    return writeOffOrder(tx, order)
  }
  if (before.status !== 'open') return writeOffOrder(tx, order)
  const next = rules.attemptFailed(before, failure.reason, tx.now)
  if (next === null && !isReplaced(subscription, failure)) return exhaust(tx, { subscription, order, recovery: before })
  // The schedule has no step left, but the customer has chosen a new payment method, which is charged now.
  const recovery = next ?? { ...before, nextStepAt: tx.now }
  await store.saveRecovery(tx.sql, recovery)
  await setStep(tx, recovery)
  if (isReplaced(subscription, failure)) await enqueueCharge(tx, subscription, order, { simulated: false })
  // If the schedule changed (from soft to hard, or from hard to soft), the first step of the new schedule sends its own email.
  else if (before.nextStepAt === null && recovery.kind === before.kind)
    await sendReminder(tx, { subscription, order, recovery })
}

interface Failure {
  readonly reason: FailureReason
  readonly simulated: boolean
  /** The charged mandate. Null if no mandate was charged: the subscription has no valid mandate, or a test helper marked the order as failed. */
  readonly mandateId: string | null
  readonly isReturned?: boolean
}

const isReplaced = ({ mandate }: Subscription, { mandateId }: Failure): boolean =>
  mandateId !== null && mandate !== null && mandate.id !== mandateId

/** `before` is the earlier recovery of an order whose payment the bank has now returned. */
async function begin(
  tx: Transaction,
  { subscription, order }: Charged,
  failure: Failure,
  before: rules.Recovery | null,
): Promise<void> {
  const { reason, simulated } = failure
  const collects = await collectsOf(tx, order)
  const failed = { subscriptionId: subscription.id, orderId: order.id, collects, reason, simulated, now: tx.now }
  const recovery = rules.open({ id: before?.id ?? tx.newId('recovery_'), ...failed })
  if (before) await store.reopenRecovery(tx.sql, recovery)
  else await store.insertRecovery(tx.sql, tx, recovery)
  failpoint('recovery.opened')
  const isNewMethod = isReplaced(subscription, failure)
  // The event already contains the state after the first step of the schedule, because this function also runs this
  // step.
  await emitFailed(tx, order, rules.paymentFailure(isNewMethod ? recovery : rules.stepDone(recovery, tx.now)))
  failpoint('recovery.notified')
  if (!isNewMethod) return runStep(tx, { subscription, order, recovery })
  // The new method is charged immediately. The schedule starts only if this charge fails.
  await setStep(tx, recovery)
  await enqueueCharge(tx, subscription, order, { simulated: false })
}

const emitFailed = (tx: Transaction, order: Order, paymentFailure: rules.PaymentFailure): Promise<void> =>
  tx.emit({ name: 'order.payment_failed', object: orderResource({ ...order, paymentFailure }) })

async function collectsOf({ sql }: Transaction, order: Order): Promise<rules.Collects> {
  if (order.checkoutId) return 'sale'
  return (await changeOfOrder(sql, order.id)) ? 'change' : 'renewal'
}

/**
 * Ends the recoveries of the paid orders, and returns the ids of these orders. For each charge, `own` is the same
 * database transaction with the time of the charge as `now`.
 */
export async function chargesPaid(
  { sql }: Transaction,
  charged: readonly (Charged & { payment: payments.Payment; own: Transaction })[],
): Promise<Set<string>> {
  const orderIds = charged.map(({ order }) => order.id)
  const subscriptionIds = charged.map(({ subscription }) => subscription.id)
  const [, recoveries] = await Promise.all([
    resolveFastForwards(sql, orderIds),
    store.openRecoveriesOf(sql, subscriptionIds),
  ])
  const recovered = recoveries.filter(({ orderId }) => orderIds.includes(orderId))
  const stillOpen = recoveries.filter((recovery) => !recovered.includes(recovery))
  for (const recovery of recovered) {
    const paid = charged.find(({ order }) => order.id === recovery.orderId)
    if (!paid) continue
    const { subscription, own } = paid
    await store.saveRecovery(sql, rules.finish(recovery, 'recover', own.now))
    const others = stillOpen.some((each) => each.subscriptionId === subscription.id && rules.holdsRenewals(each))
    const isHeld = others || (await store.heldByRecovery(sql, [subscription.id])).size > 0
    if (!isHeld) await setTimer(own, subscription)
  }
  if (stillOpen.length > 0) for (const paid of charged) await chargeDisproved(paid, stillOpen)
  return new Set(recovered.map(({ orderId }) => orderId))
}

/**
 * A hard decline is not retried, because the retry would normally fail too. A later payment on the same mandate shows
 * that the method works again. The declined orders are then charged again: on a card immediately, and by direct debit
 * after an announcement. Declines by a test helper are not retried.
 */
async function chargeDisproved(
  { subscription, payment, own }: Charged & { payment: payments.Payment; own: Transaction },
  open: readonly rules.Recovery[],
): Promise<void> {
  if (payments.isSimulated(payment) || payments.chargedMandate(payment) !== subscription.mandate?.id) return
  const disproved = open.filter(
    ({ subscriptionId, kind, simulated }) => subscriptionId === subscription.id && kind === 'hard' && !simulated,
  )
  if (subscription.mandate.method !== 'sepa_debit') await chargeRecoveries(own, subscription, disproved)
  else for (const recovery of disproved) await announceCharge(own, subscription, rules.disproved(recovery, own.now))
}

/** The last email said that no more attempts would follow, so an email announces this attempt. */
async function announceCharge(tx: Transaction, subscription: Subscription, recovery: rules.Recovery): Promise<void> {
  const order = (await unpaidOrders(tx.sql, subscription.id)).find(({ id }) => id === recovery.orderId)
  if (!order || (await openAttempt(tx, order))) return
  await store.saveRecovery(tx.sql, recovery)
  await setStep(tx, recovery)
  await sendReminder(tx, { subscription, order, recovery })
}

export async function runStep(tx: Transaction, failed: Charged & { recovery: rules.Recovery }): Promise<void> {
  const { subscription, order, recovery } = failed
  // Nothing is charged or written off while the outcome of an attempt is unknown. If the attempt fails, the step is scheduled again.
  if (await openAttempt(tx, order)) return
  switch (rules.nextStep(recovery)?.does) {
    case 'email': {
      const reminded = rules.stepDone(recovery, tx.now)
      await store.saveRecovery(tx.sql, reminded)
      failpoint('recovery.step_saved')
      await setStep(tx, reminded)
      failpoint('recovery.step_set')
      await sendReminder(tx, { subscription, order, recovery: reminded })
      return failpoint('recovery.email_enqueued')
    }
    case 'charge': {
      const trying = rules.attempted(recovery)
      await store.saveRecovery(tx.sql, trying)
      const payment = await enqueueCharge(tx, subscription, order, { simulated: recovery.simulated })
      if (payment === null)
        await chargeFailed(
          tx,
          { subscription, order },
          {
            reason: rules.reasonWithout(subscription.mandate, recovery.failureReason),
            simulated: recovery.simulated,
            mandateId: null,
          },
        )
      return
    }
    default:
      return exhaust(tx, failed)
  }
}

async function chargeRecoveries(
  tx: Transaction,
  subscription: Subscription,
  recoveries: readonly rules.Recovery[],
): Promise<Order[]> {
  const charged: Order[] = []
  const unpaid = recoveries.length > 0 ? await unpaidOrders(tx.sql, subscription.id) : []
  for (const recovery of recoveries) {
    const order = unpaid.find((each) => each.id === recovery.orderId)
    if (!order || !(await withdraw(tx, await openAttempt(tx, order)))) continue
    if (recovery.nextStepAt === null) {
      // The withdrawn attempt was a step of the schedule, so the next step follows after the scheduled days.
      const next = rules.attemptWithdrawn(recovery, tx.now) ?? {
        ...recovery,
        nextStepAt: tx.now,
      }
      await store.saveRecovery(tx.sql, next)
      await setStep(tx, next)
    }
    if (await enqueueCharge(tx, subscription, order, { simulated: false })) charged.push(order)
  }
  return charged
}

/** Charges the outstanding orders, including an unpaid sale of the subscription. Returns the charged orders. */
export async function collectOutstanding(tx: Transaction, subscription: Subscription): Promise<Order[]> {
  const charged: Order[] = []
  for (const order of await unpaidOrders(tx.sql, subscription.id)) {
    const isTried = (await payments.lastPayment(tx.sql, order.id)) ?? (await store.recoveryOfOrder(tx.sql, order.id))
    if (isTried) continue
    const simulated = await isFastForwarded(tx.sql, order.id)
    if (await enqueueCharge(tx, subscription, order, { simulated })) charged.push(order)
  }
  const recoveries = await store.openRecoveries(tx.sql, subscription.id)
  const collected = await chargeRecoveries(tx, subscription, recoveries)
  const sale = await chargeOwedSale(tx, subscription)
  return [...charged, ...collected, ...(sale ? [sale] : [])]
}

/**
 * Writes off the order of a failed recovery. If the order was for a change, undoes the change. Otherwise ends the subscription, unless it is in a grace
 * period with paid time left.
 */
export async function exhaust(tx: Transaction, failed: Charged & { recovery: rules.Recovery }): Promise<void> {
  const { sql, now } = tx
  const { subscription, order, recovery } = failed
  await store.saveRecovery(sql, rules.finish(recovery, 'exhaust', now))
  await writeOffOrder(tx, order)
  failpoint('recovery.order_written_off')
  if (subscription.status === 'canceled') return
  const change = await changeOfOrder(sql, order.id)
  if (change) return endWithoutChange(tx, { subscription, order, change })
  if (await endWithPaidTime(tx, subscription)) return
  await endForNonpayment(tx, failed)
}

export async function endWithoutChange(tx: Transaction, failed: Charged & { change: ChargedChange }): Promise<void> {
  const { next, when } = await undoChange(tx, failed.subscription, failed.change)
  await sendChangeUndone(tx, { subscription: next, order: failed.order, when })
}

export async function endForNonpayment(tx: Transaction, failed: Charged): Promise<void> {
  const { sql, now, emit } = tx
  const ended = cancelNow(failed.subscription, { reason: 'payment_failure', now })
  await saveSubscription(sql, ended)
  failpoint('recovery.subscription_ended')
  await writeOffOutstanding(tx, ended)
  await emit({ name: 'subscription.canceled_for_nonpayment', object: await currentSubscription(sql, ended) })
  await sendFinalNotice(tx, failed)
}

async function setStep({ enqueue }: Transaction, { id, stepsDone, nextStepAt }: rules.Recovery): Promise<void> {
  if (nextStepAt)
    await enqueue(recoveryStep, { key: `${id} ${stepsDone}`, data: { recoveryId: id, stepsDone }, dueAt: nextStepAt })
}
