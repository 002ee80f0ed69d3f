import type { Sql } from '../../platform/db/db.ts'
import { rawFragment } from '../../platform/db/fragment.ts'
import { cancellationReasonOf, chargebackReasons } from './rules/reason.ts'

const endingReasonList = chargebackReasons
  .filter((reason) => cancellationReasonOf(reason) !== null)
  .map((reason) => `'${reason}'`)
  .join(', ')

/**
 * The SQL condition for a subscription that may have lost its payment method because of a dispute. The customer must
 * have a disputed mandate, and one order of the same purchase must meet a second condition. The orders of a purchase
 * are the order of its checkout and the orders of all subscriptions that began with the checkout. The order was charged
 * on a disputed mandate, was disputed for a reason that ends subscriptions, or was paid by a debit that the bank
 * returned. A dispute of a returned debit is not stored, so the return counts instead, even if the disputed mandate of
 * the customer belongs to another purchase. `subscription` is the alias of the table `subscriptions`.
 */
export const lostMethodToDispute = (subscription: string): string => `(
  ${subscription}.customer_id IN (SELECT customer_id FROM mandates WHERE disputed_at IS NOT NULL) AND EXISTS (
    SELECT 1 FROM (
      SELECT o.id FROM checkout_lines bought JOIN orders o ON o.checkout_id = bought.checkout_id WHERE bought.id = ${subscription}.checkout_line_id
      UNION ALL SELECT o.id FROM checkout_lines bought JOIN checkout_lines l ON l.checkout_id = bought.checkout_id
        JOIN subscriptions same ON same.checkout_line_id = l.id JOIN orders o ON o.subscription_id = same.id
        WHERE bought.id = ${subscription}.checkout_line_id) own
    WHERE EXISTS (SELECT 1 FROM chargebacks WHERE order_id = own.id AND reason IN (${endingReasonList}))
      OR EXISTS (SELECT 1 FROM payments LEFT JOIN mandates ON mandates.id = mandate_id WHERE order_id = own.id
        AND (disputed_at IS NOT NULL OR (mandate_id IS NULL AND return_ref IS NOT NULL)))))`

export async function hasLostMethodToDispute(sql: Sql, subscriptionId: string): Promise<boolean> {
  const found = await sql.$queryRaw<object[]>`
    SELECT 1 FROM subscriptions s WHERE s.id = ${subscriptionId} AND ${rawFragment(lostMethodToDispute('s'))}`
  return found.length > 0
}
