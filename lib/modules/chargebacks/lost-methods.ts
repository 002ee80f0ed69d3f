import type { Sql } from '../../platform/db/db.ts'
import { rawFragment } from '../../platform/db/fragment.ts'
import { cancellationReasonOf, chargebackReasons } from './rules/reason.ts'

const endingReasonList = chargebackReasons
  .filter((reason) => cancellationReasonOf(reason) !== null)
  .map((reason) => `'${reason}'`)
  .join(', ')

/**
 * The SQL condition for a subscription that may have lost its payment method because of a dispute. `subscription` is
 * the alias of the table `subscriptions`. Two conditions must hold. First, the customer has a disputed mandate. Second,
 * an order of the purchase was charged on a disputed mandate, was disputed for a reason that ends subscriptions, or was
 * paid by a debit that the bank returned. The orders of a purchase are the order of its checkout and the orders of all
 * subscriptions that began with the checkout. A returned debit counts because a dispute of such a debit is not stored.
 * A returned debit counts even if the disputed mandate belongs to another purchase.
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
