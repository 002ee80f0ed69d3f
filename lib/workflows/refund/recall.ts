import { invalid, Refusal } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { transact } from '../../modules/events/transact.ts'
import { lockOrder } from '../../modules/orders/store.ts'
import { isSimulated, paymentThatPaid } from '../../modules/payments/store.ts'
import type { Refund } from '../../modules/refunds/rules/index.ts'
import * as store from '../../modules/refunds/store.ts'
import { sendRefund } from '../../modules/refunds/tasks.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { providerFor } from '../../providers/index.ts'
import { cancel } from './operations.ts'

/**
 * The functions in this file record a request to recall a refund. The task that sends the refund executes the request
 * (`refund-at-provider.ts`).
 */

export async function canRecall(sql: Sql, orderId: string): Promise<boolean> {
  const payment = await paymentThatPaid(sql, orderId)
  return payment !== null && !isSimulated(payment) && providerFor(payment).cancelRefund !== undefined
}

/** Refuses with `not_found`, or with `refund_not_cancelable` unless the refund is `processing` and its provider can cancel refunds. */
export async function recall(context: RequestContext, orderId: string, id: string): Promise<void> {
  await transact(context, async (tx) => {
    const { sql, now, enqueue } = tx
    const order = await lockOrder(sql, tx, orderId)
    const refund = order && (await store.lockRefund(sql, tx, id))
    if (!refund || refund.orderId !== orderId) throw new Refusal('not_found')
    if (refund.status !== 'processing' || !(await canRecall(sql, orderId))) throw new Refusal('refund_not_cancelable')
    if (refund.recalledAt) return
    await store.saveRefund(sql, { ...refund, recalledAt: now })
    await enqueue(sendRefund, { key: id, data: { refundId: id }, dueAt: now })
  })
}

/** The command line uses this function. Refuses with `validation_failed` if the refund is unknown, or with `refund_not_cancelable`. */
export async function cancelTyped(
  id: string,
): Promise<{ refundId: string; status: Refund['status']; recalled: boolean }> {
  const found = await store.findRefundAnywhere(db(), id)
  if (!found) throw invalid('refund', 'There is no refund with this id.')
  const { tenant, orderId } = found
  const before = await store.findRefund(db(), tenant, id)
  const [act, action] =
    before?.status === 'processing' ? ([recall, 'refund.recall'] as const) : ([cancel, 'refund.cancel'] as const)
  await act(audited(tenant, commandLine(), { action, subject: id }), orderId, id)
  const refund = await store.findRefund(db(), tenant, id)
  if (!refund) throw new Error('the refund was not found after its cancellation')
  return { refundId: id, status: refund.status, recalled: refund.recalledAt !== null }
}
