import type { Chargeback } from '../../modules/chargebacks/rules/index.ts'
import * as store from '../../modules/chargebacks/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { type Posting, post } from '../../modules/ledger/post.ts'
import type { Entry } from '../../modules/ledger/rules/account.ts'
import { postAllocated } from '../../modules/ledger/rules/chargeback.ts'
import { extended, type Reversal } from '../../modules/orders/rules/credit-note.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { leftOf, type Part, reverseGross } from '../../modules/orders/rules/reverse.ts'
import { reversedOf } from '../../modules/orders/store.ts'
import { newReversal, reversalWords } from '../invoicing/credit-notes.ts'

/** Allocates `gross` (in minor units) of a dispute to the order lines, at most the remaining amount. The caller holds the lock of the order. */
export const allocate = async (tx: Transaction, order: Order, gross: bigint): Promise<Reversal> => {
  const parts: Part[] = reverseGross(order, leftOf(order, await reversedOf(tx.sql, order.id)), gross)
  const inWords = await reversalWords(order.locale)
  return newReversal(tx, order, parts, 'chargeback_item_', (line) => inWords(line, 'chargeback'))
}

/**
 * Allocates a freed amount to the open disputes of the order. A canceled refund, a failed refund, or a won dispute has
 * freed this amount. The caller holds the lock of the order and saves the result.
 */
export async function reallocate(tx: Transaction, order: Order): Promise<Order> {
  const { sql, ...tenant } = tx
  let { reversedSubtotal } = order
  for (const chargeback of await store.openChargebacks(sql, tenant, order.id)) {
    if (chargeback.total >= chargeback.amount) continue
    const more = await allocate(tx, order, chargeback.amount - chargeback.total)
    if (more.lines.length === 0) continue
    const next = await allocated(tx, order, chargeback, more)
    await store.saveChargeback(sql, next)
    await store.insertLines(sql, tenant, next, chargeback.lines.length)
    reversedSubtotal += more.subtotal
  }
  return { ...order, reversedSubtotal }
}

/** Adds `more` to the allocated amount. The provider has already taken the money, so the posting only increases the merchant's debit. */
export async function allocated(
  tx: Transaction,
  order: Order,
  before: Chargeback,
  more: Reversal,
): Promise<Chargeback> {
  const next: Chargeback = { ...before, ...extended(order, before, more) }
  // The ledger accepts each cause only once, but a dispute can be allocated several times. So the cause contains the
  // number of order lines that the dispute has before this allocation.
  await post(tx, [posting(next, `chargeback.counted.${before.lines.length}`, postAllocated(more))])
  return next
}

export const posting = ({ id, orderId, currency }: Chargeback, cause: string, entries: Entry[]): Posting => ({
  subjectId: id,
  cause,
  orderId,
  currency,
  entries,
})
