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

/** A payment without an outcome is polled, because notices can be lost. After a notice, the next poll runs earlier. */

export async function watchPayment({ enqueue, now }: Transaction, payment: Payment, ref: string): Promise<void> {
  if (!providerFor(payment).isPolled) return
  await enqueue(syncPayment, { key: ref, data: { ref }, dueAt: nextLook(payment.createdAt, now) })
}

export const isUndecided = ({ status }: Pick<ProviderPayment, 'status'>): boolean =>
  status === 'open' || status === 'pending'

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
