import type { Transaction } from '../../modules/events/transact.ts'
import { post } from '../../modules/ledger/post.ts'
import { isTaxRefund, postFailed, postRefunded } from '../../modules/ledger/rules/refund.ts'
import { creditNoteOfCorrection, lockOrder, saveOrder } from '../../modules/orders/store.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import { type Refund, refundStates } from '../../modules/refunds/rules/index.ts'
import * as store from '../../modules/refunds/store.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { reallocate } from '../allocation/allocate.ts'
import { sendRefund } from '../customer-emails/refund.ts'
import { issueCreditNote } from '../invoicing/credit-notes.ts'

/** Applies the outcome of a refund at the bank. A repeated call has no effect. */
export async function applyRefundOutcome(
  tx: Transaction,
  refundId: string,
  outcome: 'refunded' | 'failed',
): Promise<void> {
  const { sql, now, emit, ...tenant } = tx
  const before = await store.findRefund(sql, tenant, refundId)
  const order = before && (await lockOrder(sql, tenant, before.orderId))
  const refund = order && (await store.lockRefund(sql, tenant, refundId))
  failpoint('refund.locked')
  if (!order || refund?.status !== 'processing') return
  const { orderId, currency } = refund
  const refundingSubtotal = order.refundingSubtotal - refund.subtotal
  const booking = { subjectId: refund.id, orderId, currency }

  if (outcome === 'failed') {
    const status = refundStates.on(refund.status, 'fail')
    const failed: Refund = { ...refund, status, finishedAt: now }
    await store.saveRefund(sql, failed)
    await saveOrder(sql, await reallocate(tx, { ...order, refundingSubtotal }))
    await post(tx, [{ ...booking, cause: 'refund.failed', entries: postFailed(refund) }])
    await emit({ name: 'refund.failed', object: refundResource(failed) })
    return
  }
  const status = refundStates.on(refund.status, 'complete')
  await post(tx, [{ ...booking, cause: 'refund.completed', entries: postRefunded(refund) }])
  failpoint('refund.posted')
  // The credit note of a tax refund was already issued and emailed with the corrected invoice.
  const isIssued = isTaxRefund(refund)
  const creditNote = isIssued
    ? await creditNoteOfCorrection(sql, tenant, order)
    : await issueCreditNote(tx, order, refund, refund.metadata)
  failpoint('refund.credited')
  const refunded: Refund = { ...refund, status, finishedAt: now, creditNoteId: creditNote.id }
  await store.saveRefund(sql, refunded)
  await saveOrder(sql, { ...order, refundingSubtotal, reversedSubtotal: order.reversedSubtotal + refund.subtotal })
  await emit({ name: 'refund.completed', object: refundResource(refunded) })
  if (!isIssued) await sendRefund(tx, { order, creditNote })
}
