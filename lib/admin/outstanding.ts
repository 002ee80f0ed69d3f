import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { unpaidOrders } from '../modules/orders/store.ts'
import { paymentStates } from '../modules/payments/rules/state.ts'
import { isSimulated, lastPayment } from '../modules/payments/store.ts'
import { chargedAgainAt, endsAt, type Recovery } from '../modules/recovery/rules/index.ts'
import { openRecoveries } from '../modules/recovery/store.ts'
import type { OutstandingOrder } from '../modules/subscriptions/page.ts'
import type { Sql } from '../platform/db/db.ts'

/**
 * The orders of a subscription that are not paid, the oldest first, with what becomes of each. Recoveries are read last: one
 * that was paid between two reads has been closed by then.
 */
export async function outstandingOf(sql: Sql, subscriptionId: string): Promise<OutstandingOrder[]> {
  const unpaid = await unpaidOrders(sql, subscriptionId)
  const attempts = await Promise.all(unpaid.map(({ id }) => lastPayment(sql, id)))
  const recoveries = unpaid.length > 0 ? await openRecoveries(sql, subscriptionId) : []
  return unpaid.map(({ id, total, currency }, index) => {
    const last = attempts[index] ?? null
    const recovery = recoveries.find(({ orderId }) => orderId === id)
    return {
      orderId: id,
      total: amount(total, currency),
      isOnItsWay: last !== null && !isSimulated(last) && !paymentStates.isFinal(last.status),
      hasFailed: recovery !== undefined,
      ...(recovery ? stepsOf(recovery) : { retryAt: null, writtenOffAt: null }),
    }
  })
}

function stepsOf(recovery: Recovery): Pick<OutstandingOrder, 'retryAt' | 'writtenOffAt'> {
  const [again, end] = [chargedAgainAt(recovery), endsAt(recovery)]
  return { retryAt: again && toWire(again), writtenOffAt: end && toWire(end) }
}
