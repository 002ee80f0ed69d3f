import { chargebackStates } from '../../modules/chargebacks/rules/index.ts'
import { chargebackByRef } from '../../modules/chargebacks/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import { nextLook } from '../../modules/payments/rules/polling.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { syncChargeback, syncPayment } from '../../modules/payments/tasks.ts'
import { refundsAtBank } from '../../modules/refunds/store.ts'
import { sendRefund } from '../../modules/refunds/tasks.ts'
import { providerFor } from '../../providers/index.ts'

/**
 * Finds what a provider did without a notice that reached us. An undecided payment is polled repeatedly; a notice only
 * makes the next poll earlier.
 */

/** Plans a poll of a payment without an outcome, if its provider is polled. */
export async function watchPayment({ enqueue, now }: Transaction, payment: Payment, ref: string): Promise<void> {
  if (!providerFor(payment).isPolled) return
  await enqueue(syncPayment, { key: ref, data: { ref }, dueAt: nextLook(payment.createdAt, now) })
}

/** Whether the provider's status of a payment can still change. */
export const isUndecided = ({ status }: Pick<ProviderPayment, 'status'>): boolean =>
  status === 'open' || status === 'pending'

/** Plans polls of the refunds and chargebacks of a paid payment. */
export async function lookAtMoneyBack(tx: Transaction, payment: Payment, update: ProviderPayment): Promise<void> {
  const { sql, enqueue, now, ...tenant } = tx
  for (const refundId of await refundsAtBank(sql, tenant, payment.orderId))
    await enqueue(sendRefund, { key: refundId, data: { refundId }, dueAt: now })
  for (const ref of update.chargebacks ?? []) {
    const known = await chargebackByRef(sql, tenant, ref)
    if (known && chargebackStates.isFinal(known.status)) continue
    await enqueue(syncChargeback, { key: ref, data: { ref, paymentRef: update.ref }, dueAt: now })
  }
}
