import { transact } from '../../modules/events/transact.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import * as payments from '../../modules/payments/store.ts'
import { Reschedule } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { applyPaymentUpdate, type PagePayments } from './apply-payment-update.ts'
import { providerOfRef } from './provider-of.ts'
import { isUndecided, lookAtMoneyBack } from './watch.ts'

/** Repeated and concurrent calls are safe, because the rows of the payment are locked. */
export async function syncWithProvider(context: RequestContext, ref: string, onPage: PagePayments): Promise<void> {
  const provider = await providerOfRef(context, ref)
  const update = await provider.fetchPayment(context, ref)
  await transact(context, async (tx) => {
    const mustWait = await applyPaymentUpdate(tx, update, onPage)
    const payment = provider.isPolled ? await payments.paymentByRef(tx.sql, tx, ref) : null
    if (!payment) return undefined
    if (payment.status === 'paid') await lookAtMoneyBack(tx, payment, update)
    const { kind } = payment.purpose
    const isIncomplete = kind !== 'charge' && (await onPage[kind]?.isIncomplete?.(tx, payment, update))
    const isOpen = mustWait || isIncomplete || isUndecided(update)
    return isOpen ? new Reschedule(nextLook(payment.createdAt, tx.now)) : undefined
  })
}
