import type { Sql } from '../../platform/db/db.ts'
import { rawFragment } from '../../platform/db/fragment.ts'

/** Marks mandates as ended by a dispute. A marked mandate is not charged any more. */
export async function markDisputed(sql: Sql, mandateIds: readonly string[], at: Date): Promise<void> {
  const where = { id: { in: [...mandateIds] }, disputed_at: null }
  await sql.mandates.updateMany({ where, data: { disputed_at: at } })
}

export const areUndisputed = async (sql: Sql, mandateIds: readonly string[]): Promise<boolean> =>
  (await sql.mandates.count({ where: { id: { in: [...mandateIds] }, disputed_at: { not: null } } })) === 0

/**
 * The SQL condition for a subscription that a dispute may have deprived of its payment method: the customer has a disputed mandate, and an order of the same
 * purchase (its checkout, and the subscriptions that began with it) was charged on this mandate, was disputed, or was returned by the bank. Disputes of other
 * purchases do not count. `subscription` is the alias of the table `subscriptions`.
 */
export const lostMethodToDispute = (subscription: string): string => `EXISTS (
    WITH purchase AS (SELECT checkout_id AS id FROM checkout_lines WHERE id = ${subscription}.checkout_line_id)
    SELECT 1 FROM mandates d, (
      SELECT o.id FROM purchase JOIN orders o ON o.checkout_id = purchase.id
      UNION ALL SELECT o.id FROM purchase JOIN checkout_lines l ON l.checkout_id = purchase.id
        JOIN subscriptions same ON same.checkout_line_id = l.id JOIN orders o ON o.subscription_id = same.id) own
    WHERE d.customer_id = ${subscription}.customer_id AND d.disputed_at IS NOT NULL
      AND (EXISTS (SELECT 1 FROM chargebacks WHERE order_id = own.id)
        OR EXISTS (SELECT 1 FROM payments WHERE order_id = own.id
          AND (mandate_id = d.id OR (mandate_id IS NULL AND return_ref IS NOT NULL)))))`

export async function hasLostMethodToDispute(sql: Sql, subscriptionId: string): Promise<boolean> {
  const found = await sql.$queryRaw<object[]>`
    SELECT 1 FROM subscriptions s WHERE s.id = ${subscriptionId} AND ${rawFragment(lostMethodToDispute('s'))}`
  return found.length > 0
}
