import { transact } from '../../modules/events/transact.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import { findPayment, markReturned, type Payment } from '../../modules/payments/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerFor } from '../../providers/index.ts'

/** A buyer can pay a payment that our books have canceled, for example in a second tab. The money is returned, so that no order is paid twice. */

/** Throws if the bank refuses the return. The task then remains, and a person must act. */
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
  if (paymentRef === null)
    throw new Error(`the provider does not know the payment ${id}, whose late money must be returned`)
  const request = { idempotencyKey: `${id}-return`, paymentRef, amount }
  const { status } = await providerFor(payment).refund(tenant, request)
  if (status === 'failed') throw new Error(`the late money of payment ${id} could not be returned`)
  return status
}

/** The mandate was never stored for a customer, so it is read from the provider. A repeated revocation has no effect. */
async function revokeItsMandate(tenant: Tenant, payment: Payment): Promise<void> {
  const provider = providerFor(payment)
  if (!payment.makesMandate || payment.ref === null || !provider.revokeMandate) return
  const { mandate } = await provider.fetchPayment(tenant, payment.ref)
  if (mandate) await provider.revokeMandate(tenant, mandate.ref)
}
