import type { Transaction } from '../../modules/events/transact.ts'
import { enqueueBalanceIncreased } from '../../modules/ledger/post.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import { type Refund, refundStates } from '../../modules/refunds/rules/index.ts'
import * as store from '../../modules/refunds/store.ts'

/** Cancels a refund. The caller has locked the order, and saves it afterward. Refuses with `refund_not_cancelable`. */
export async function cancelRefund(tx: Transaction, refund: Refund): Promise<void> {
  const { sql, now, emit } = tx
  const status = refundStates.on(refund.status, 'cancel', 'refund_not_cancelable')
  const canceled: Refund = { ...refund, status, finishedAt: now }
  await store.saveRefund(sql, canceled)
  await emit({ name: 'refund.canceled', object: refundResource(canceled) })
  if (refund.status === 'queued') await enqueueBalanceIncreased(tx, refund.currency)
}
