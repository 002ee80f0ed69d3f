import type { Transaction } from '../../modules/events/transact.ts'
import type { AppliedUpdate } from '../../modules/payments/apply-provider-update.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { lastPayment, paymentByRef, savePayment } from '../../modules/payments/store.ts'
import { type Charge, paid } from './apply-charge-updates.ts'
import { returnLater } from './late-payment.ts'
import { cancelPending } from './pending-on-page.ts'

/**
 * A charge can be paid after it counted as failed. The money then pays the order if it is still unpaid. Otherwise the
 * money is refunded, so that no order is paid twice.
 */

/**
 * Returns true if another charge of the order is open, because its outcome must be applied first. The caller holds the
 * lock of the subscription.
 */
export async function collectLate(tx: Transaction, charge: Charge): Promise<boolean> {
  const { payment, order } = charge
  const last = await lastPayment(tx.sql, order.id)
  const isWaitedFor = order.status === 'pending' && payment.status === 'failed'
  if (isWaitedFor && last && !paymentStates.isFinal(last.status)) return true
  if (!isWaitedFor) {
    await returnLater(tx, payment)
    return false
  }
  const status = paymentStates.on(payment.status, 'collect')
  const collected = { ...payment, status, failureReason: null, finishedAt: tx.now }
  await savePayment(tx.sql, collected)
  await paid(tx, [{ charge: { ...charge, payment: collected } }])
  return false
}

/** Handles a response which states that an earlier charge paid the order. The new charge collected nothing, so the new charge is canceled. */
export async function collectEarlier(tx: Transaction, charge: Charge, { ref }: AppliedUpdate): Promise<void> {
  const earlier = ref === null ? null : await paymentByRef(tx.sql, tx, ref)
  if (!earlier) throw new Error(`there is no earlier charge ${ref} of order ${charge.order.id}`)
  if (!paymentStates.isFinal(charge.payment.status)) await cancelPending(tx.sql, charge.payment, tx.now)
  if (earlier.status !== 'paid' && earlier.returnedAt === null) await collectLate(tx, { ...charge, payment: earlier })
}
