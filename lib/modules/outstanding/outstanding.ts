import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { ordersOwedBy } from '../orders/owed-sale.ts'
import { isOnItsWay } from '../payments/on-its-way.ts'
import { lastPayment } from '../payments/store.ts'
import { chargedAgainAt, endsAt, type Recovery } from '../recovery/rules/index.ts'
import { recoveriesOwedBy } from '../recovery/store.ts'
import type { OutstandingOrder } from '../subscriptions/page.ts'
import { isSaleOver } from '../subscriptions/store.ts'

/**
 * Reads the recoveries after the orders. An order that is paid between the two reads then has no open recovery, so
 * `hasFailed` is false.
 */
export async function outstandingOf(sql: Sql, subscriptionId: string): Promise<OutstandingOrder[]> {
  const unpaid = await ordersOwedBy(sql, subscriptionId)
  const attempts = await Promise.all(unpaid.map(({ id }) => lastPayment(sql, id)))
  const recoveries = unpaid.length > 0 ? await recoveriesOwedBy(sql, subscriptionId) : []
  const [sale] = unpaid.flatMap(({ checkoutId }) => checkoutId ?? [])
  const othersContinue = sale !== undefined && !(await isSaleOver(sql, sale, subscriptionId))
  return unpaid.map(({ id, checkoutId, total, currency }, index) => {
    const recovery = recoveries.find(({ orderId }) => orderId === id)
    return {
      orderId: id,
      total: amount(total, currency),
      isOnItsWay: isOnItsWay(attempts[index] ?? null),
      isShared: checkoutId !== null && othersContinue,
      hasFailed: recovery !== undefined,
      ...(recovery ? stepsOf(recovery) : { retryAt: null, writtenOffAt: null }),
    }
  })
}

function stepsOf(recovery: Recovery): Pick<OutstandingOrder, 'retryAt' | 'writtenOffAt'> {
  const [again, end] = [chargedAgainAt(recovery), endsAt(recovery)]
  return { retryAt: again && toWire(again), writtenOffAt: end && toWire(end) }
}
