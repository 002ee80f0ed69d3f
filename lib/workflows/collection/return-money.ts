import { transact } from '../../modules/events/transact.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { findPayment, markReturned, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerFor } from '../../providers/index.ts'

/** A given-up payment was paid, such as in a second tab. No order is paid twice, so the money is returned. */

/**
 * Polls until the buyer has the money, then revokes the payment's mandate, which is never charged. Throws if the bank
 * refuses: the task stays, and a person must look at it.
 */
export async function returnMoney(tenant: TaskContext, { paymentId }: { paymentId: string }): Promise<void> {
  const payment = await findPayment(db(), tenant, paymentId)
  const status = payment && (await sendBack(tenant, payment))
  if (payment && status === 'refunded') await revokeItsMandate(tenant, payment)
  await transact(tenant, async ({ sql, now }) => {
    if (!payment) return
    if (status === 'pending') return new Reschedule(nextLook(payment.finishedAt ?? payment.createdAt, now))
    await markReturned(sql, paymentId, now)
    return
  })
}

async function sendBack(tenant: Tenant, payment: Payment): Promise<'pending' | 'refunded'> {
  const { id, ref: paymentRef, amount } = payment
  if (paymentRef === null) throw new Error(`the late money of payment ${id} is of no payment at its provider`)
  const request = { idempotencyKey: `${id}-return`, paymentRef, amount }
  const { status } = await providerFor(payment).refund(tenant, request)
  if (status === 'failed') throw new Error(`the late money of payment ${id} could not be returned`)
  return status
}

/** The mandate has no row here, because no customer got it. Revoking it again has no effect. */
async function revokeItsMandate(tenant: Tenant, payment: Payment): Promise<void> {
  const provider = providerFor(payment)
  if (!payment.makesMandate || payment.ref === null || !provider.revokeMandate) return
  const { mandate } = await provider.fetchPayment(tenant, payment.ref)
  if (mandate) await provider.revokeMandate(tenant, mandate.ref)
}
