import type { Currency } from '../../kernel/money.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { post } from '../../modules/ledger/post.ts'
import { postProcessing } from '../../modules/ledger/rules/refund.ts'
import { feesOnSales, lockBalance, setHasWaiters } from '../../modules/ledger/store.ts'
import { findOrders } from '../../modules/orders/store.ts'
import { type Refund, type Refunded, refundStates, selectFunded } from '../../modules/refunds/rules/index.ts'
import * as store from '../../modules/refunds/store.ts'
import { sendRefund } from '../../modules/refunds/tasks.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'

/**
 * The maximum number of refunds in one transaction. The number is small, because the storefront's sales wait until the
 * transaction ends.
 */
const most = 100

/** The lock on the balance prevents two refunds from spending the same money. Returns whether more refunds may be left. */
export async function processQueue(tx: Transaction, currency: Currency): Promise<boolean> {
  const { sql, enqueueAll, now, ...tenant } = tx
  const balance = await lockBalance(sql, tenant, currency)
  const entering = (await store.dueRefunds(sql, tenant, { currency, now, most })).map(
    (refund): Refund => ({ ...refund, status: refundStates.on(refund.status, 'queue') }),
  )
  await store.saveRefunds(sql, entering)
  const moreEnter = entering.length === most
  const head = await store.queuedRefunds(sql, tenant, currency, 1)
  if (selectFunded(head, balance, await salesOf(tx, head)).length === 0) {
    await setHasWaiters(sql, tenant, currency, head.length > 0)
    return moreEnter
  }
  const queue = await store.queuedRefunds(sql, tenant, currency, most)
  const going = selectFunded(queue, balance, await salesOf(tx, queue)).map(
    (refund): Refund => ({ ...refund, status: refundStates.on(refund.status, 'process') }),
  )
  await store.saveRefunds(sql, going)
  failpoint('refund.queue_resumed')
  await post(
    tx,
    going.map((refund) => ({
      subjectId: refund.id,
      cause: 'refund.processing',
      orderId: refund.orderId,
      currency,
      entries: postProcessing(refund),
    })),
  )
  await enqueueAll(
    sendRefund,
    going.map(({ id }) => ({ key: id, data: { refundId: id }, dueAt: now })),
  )
  const isMore = going.length === most || moreEnter
  await setHasWaiters(sql, tenant, currency, isMore || going.length < queue.length)
  return isMore
}

async function salesOf({ sql, ...tenant }: Transaction, queue: readonly Refund[]): Promise<Map<string, Refunded>> {
  const ids = [...new Set(queue.map(({ orderId }) => orderId))]
  const [orders, fees, sent] = [
    await findOrders(sql, tenant, ids),
    await feesOnSales(sql, ids),
    await store.sentOf(sql, ids),
  ]
  return new Map(
    orders.map(({ id, subtotal }) => [
      id,
      { sale: { subtotal, fee: fees.get(id) ?? 0n }, before: sent.get(id) ?? { subtotal: 0n, feeReturned: 0n } },
    ]),
  )
}
