import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { unpaidOrders } from '../orders/store.ts'
import { paymentStates } from '../payments/rules/state.ts'
import { isSimulated, lastPayment } from '../payments/store.ts'
import type { OutstandingOrder } from '../subscriptions/page.ts'
import { chargedAgainAt, endsAt, type Recovery } from './rules/index.ts'
import { openRecoveries } from './store.ts'

/**
 * The unpaid orders of a subscription, oldest first, with the next steps of each. Recoveries are read last: a recovery whose order
 * was paid between two reads is closed by then.
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
