import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/**
 * Returns the ids of all orders of a subscription, including verifications, credit notes, and replacement invoices. No
 * index supports the tenant condition as `IS TRUE`, so PostgreSQL finds the orders by their ids (decision 21).
 */
export async function orderIdsOfSubscription(sql: Sql, tenant: Tenant, subscriptionId: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    WITH own AS (
      SELECT o.id FROM orders o WHERE o.subscription_id = ${subscriptionId}
      UNION
      SELECT o.id FROM subscriptions s
      JOIN checkout_lines l ON l.id = s.checkout_line_id
      JOIN orders o ON o.checkout_id = l.checkout_id
      WHERE s.id = ${subscriptionId})
    SELECT o.id FROM orders o
    WHERE (${ownedRows(tenant, 'o')}) IS TRUE
      AND o.id IN (
        SELECT id FROM own
        UNION SELECT c.id FROM orders c JOIN own ON c.credited_order_id = own.id
        UNION SELECT r.id FROM orders r JOIN own ON r.replaces_order_id = own.id)`
  return rows.map(({ id }) => id)
}
