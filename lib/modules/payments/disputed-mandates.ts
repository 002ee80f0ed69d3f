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
export const lostMethodToDispute = (subscription: string): string => `(
  ${subscription}.customer_id IN (SELECT customer_id FROM mandates WHERE disputed_at IS NOT NULL) AND EXISTS (
    SELECT 1 FROM (
      SELECT o.id FROM checkout_lines bought JOIN orders o ON o.checkout_id = bought.checkout_id WHERE bought.id = ${subscription}.checkout_line_id
      UNION ALL SELECT o.id FROM checkout_lines bought JOIN checkout_lines l ON l.checkout_id = bought.checkout_id
        JOIN subscriptions same ON same.checkout_line_id = l.id JOIN orders o ON o.subscription_id = same.id
        WHERE bought.id = ${subscription}.checkout_line_id) own
    WHERE EXISTS (SELECT 1 FROM chargebacks WHERE order_id = own.id)
      OR EXISTS (SELECT 1 FROM payments LEFT JOIN mandates ON mandates.id = mandate_id WHERE order_id = own.id
        AND (disputed_at IS NOT NULL OR (mandate_id IS NULL AND return_ref IS NOT NULL)))))`

export async function hasLostMethodToDispute(sql: Sql, subscriptionId: string): Promise<boolean> {
  const found = await sql.$queryRaw<object[]>`
    SELECT 1 FROM subscriptions s WHERE s.id = ${subscriptionId} AND ${rawFragment(lostMethodToDispute('s'))}`
  return found.length > 0
}
