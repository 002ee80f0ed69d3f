import type { Sql } from '../../platform/db/db.ts'
import type { Order } from './rules/order.ts'
import { orderOfCheckout, unpaidOrders } from './store.ts'

/**
 * Returns the order of the first sale if the bank returned the payment of the order, otherwise null. Several
 * subscriptions can share this order, so lock the order before you change it.
 */
export async function owedSaleOf(sql: Sql, subscriptionId: string): Promise<Order | null> {
  const [owed] = await sql.$queryRaw<{ checkoutId: string }[]>`
    SELECT o.checkout_id AS "checkoutId" FROM subscriptions s JOIN checkout_lines l ON l.id = s.checkout_line_id
    JOIN orders o ON o.checkout_id = l.checkout_id
    WHERE s.id = ${subscriptionId} AND o.status = 'pending' AND o.invoice_number IS NOT NULL`
  return owed ? orderOfCheckout(sql, owed.checkoutId) : null
}

/** Returns the unpaid orders of a subscription, oldest first. Includes the first sale if the bank returned its payment. */
export async function ordersOwedBy(sql: Sql, subscriptionId: string): Promise<Order[]> {
  const sale = await owedSaleOf(sql, subscriptionId)
  const own = await unpaidOrders(sql, subscriptionId)
  return sale ? [sale, ...own] : own
}
