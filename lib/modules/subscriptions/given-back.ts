import { smaller } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { reversingChargebacks, reversingRefunds } from '../orders/rules/reverse.ts'
import type { TimedAmount } from './rules/carry.ts'
import { share } from './rules/period.ts'
import type { Subscription } from './rules/subscription.ts'

interface Row {
  readonly from: Date
  readonly since: Date
  readonly until: Date
  readonly paid: bigint
  readonly quantity: number
  readonly back: bigint
  readonly withdrawn: bigint
}

/**
 * Returns the refunded or disputed amounts of the current period, with tax if the price includes tax. If the first line of the period's order is a credit,
 * the orders of the previous period are included. A refund counts from its request, and a dispute from its receipt. `withdrawUnits` already treats withdrawn
 * units as unpaid, so a refund of these units is not counted again.
 */
export async function givenBack(sql: Sql, subscription: Subscription): Promise<TimedAmount[]> {
  const { id, period, checkoutLineId, taxBehavior } = subscription
  if (!period) return []
  const rows = await sql.$queryRaw<Row[]>`
    WITH base AS (
      SELECT p.order_id FROM subscription_periods p JOIN orders o ON o.id = p.order_id
      WHERE p.subscription_id = ${id} AND o.status <> 'canceled'
        AND NOT EXISTS (SELECT FROM order_lines l WHERE l.order_id = p.order_id AND l.position = 0 AND l.subtotal < 0)
      ORDER BY p.order_id DESC LIMIT 1)
    SELECT l.service_from AS "from", l.service_until AS "until", o.created_at AS since, l.quantity,
      CASE WHEN ${taxBehavior} = 'inclusive' THEN l.total ELSE l.subtotal END AS paid,
      coalesce((
        SELECT sum(CASE WHEN ${taxBehavior} = 'inclusive' THEN r.total ELSE r.subtotal END) FROM reversal_lines r
        LEFT JOIN refunds f ON f.id = r.refund_id LEFT JOIN chargebacks c ON c.id = r.chargeback_id
        WHERE r.order_line_id = l.id AND (f.status = ANY(${[...reversingRefunds]})
          OR c.status = ANY(${[...reversingChargebacks]}))), 0)::bigint AS back,
      coalesce((
        SELECT sum(w.quantities[array_position(w.checkout_line_ids, ${checkoutLineId}::text)]) FROM order_withdrawals w
        WHERE w.order_id = o.id AND NOT EXISTS (
          SELECT FROM subscription_periods p WHERE p.subscription_id = ${id}
            AND p.order_id IS DISTINCT FROM o.id AND p.created_at <= w.declared_at)), 0)::bigint AS withdrawn
    FROM (
      SELECT order_id AS id, true AS is_base FROM base UNION ALL
      SELECT o.id, false FROM base JOIN orders o ON o.subscription_id = ${id} AND o.id > base.order_id) paying
    JOIN orders o ON o.id = paying.id JOIN order_lines l ON l.order_id = o.id
    WHERE o.status <> 'canceled' AND l.product_id = ${id} AND l.subtotal > 0 AND l.service_from IS NOT NULL
      AND (NOT is_base OR o.checkout_id IS NOT NULL OR l.position = 0)
    ORDER BY least(l.service_from, o.created_at), o.id, l.position DESC`
  return rows.map(({ from, until, since, paid, quantity, back, withdrawn }) => {
    const ofWithdrawn = smaller(back, share(paid, withdrawn, BigInt(quantity)))
    return { from, until, since, amount: back - ofWithdrawn }
  })
}
