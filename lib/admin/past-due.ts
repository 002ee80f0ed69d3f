import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import type { ShownOrder } from '../modules/orders/rules/order.ts'
import { findShownOrders } from '../modules/orders/store.ts'
import type { PastDuePage, PastDueRow } from '../modules/recovery/page.ts'
import { attemptsOf, chargedAgainAt, endsAt, type Recovery } from '../modules/recovery/rules/index.ts'
import { pageOfOpenRecoveries } from '../modules/recovery/store.ts'
import { accessTo, type StorefrontPath } from './access.ts'
import { adminList, type ListParameters } from './list.ts'
import { nameOf } from './rows.ts'

/** The failed payments of a storefront and mode that the service still tries to collect, newest first. */
export async function pastDuePage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<PastDuePage | null> {
  const access = await accessTo(place, 'past-due', cookies)
  if (!access) return null
  const { path, tenant } = access
  return adminList(
    `${path}/past-due`,
    parameters,
    async (query, sql) => {
      const page = await pageOfOpenRecoveries(sql, tenant, query)
      const ids = page.rows.map(({ orderId }) => orderId)
      const orders = new Map((await findShownOrders(sql, tenant, ids)).map((order) => [order.id, order]))
      return { ...page, rows: page.rows.flatMap((each) => rowOf(each, orders.get(each.orderId), path)) }
    },
    (row) => row,
  )
}

function rowOf(recovery: Recovery, order: ShownOrder | undefined, path: string): PastDueRow[] {
  if (!order) return []
  const { id, subscriptionId, lastFailure } = recovery
  const [nextAttemptAt, writtenOffAt] = [chargedAgainAt(recovery), endsAt(recovery)]
  return [
    {
      id,
      url: `${path}/orders/${order.id}`,
      customer: nameOf(order.customerDetails) ?? order.id,
      subscriptionUrl: subscriptionId && `${path}/subscriptions/${subscriptionId}`,
      amount: amount(order.total, order.currency),
      reason: lastFailure.reason,
      attempts: attemptsOf(recovery),
      nextAttemptAt: nextAttemptAt && toWire(nextAttemptAt),
      writtenOffAt: writtenOffAt && toWire(writtenOffAt),
    },
  ]
}
