import { sqlStatement } from '../../../platform/db/fragment.ts'
import { owedColumns } from '../../subscriptions/owed.ts'
import type { Queries } from './query.ts'

/**
 * The checks in this file compare `recovery` and `paidUntil`, which the API returns, with the subscription's orders.
 */

const sale = `SELECT o.* FROM checkout_lines l JOIN orders o ON o.checkout_id = l.checkout_id WHERE l.id = s.checkout_line_id`

/**
 * Selects the debt of subscriptions as the API returns it. Reads only subscriptions that can have an unpaid order,
 * because each subscription costs a query.
 */
const shown = `(
  SELECT s.*, least(owed."unpaidFrom", s.renewed_until) AS paid_until, owed.recovery FROM (
    SELECT subscription_id AS id FROM orders WHERE status = 'pending' AND subscription_id IS NOT NULL
    UNION SELECT subscription_id FROM recoveries WHERE status = 'open'
    UNION SELECT s.id FROM orders o JOIN checkout_lines l ON l.checkout_id = o.checkout_id
      JOIN subscriptions s ON s.checkout_line_id = l.id WHERE o.status = 'pending' AND o.invoice_number IS NOT NULL
    UNION SELECT p.subscription_id FROM subscription_periods p JOIN orders o ON o.id = p.order_id AND o.status = 'canceled'
  ) candidates JOIN subscriptions s USING (id), LATERAL (SELECT ${sqlStatement(owedColumns, []).text}) owed)`

const inRecovery = `(
  SELECT o.* FROM orders o JOIN recoveries r ON r.order_id = o.id WHERE r.status = 'open' AND o.subscription_id = s.id
  UNION ALL SELECT o.* FROM (${sale}) o JOIN recoveries r ON r.order_id = o.id WHERE r.status = 'open')`

export const owed = {
  I19: {
    'a subscription shows a recovery if and only if an order is in recovery': `
      SELECT s.id FROM ${shown} s LEFT JOIN LATERAL (SELECT * FROM ${inRecovery} o
        WHERE o.id = s.recovery->>'orderId' OR s.recovery IS NULL LIMIT 1) o ON true
      WHERE (s.recovery IS NULL) <> (o.id IS NULL)
        OR (s.recovery->>'total')::bigint <> o.total OR o.status <> 'pending'`,
    'an order whose charge failed is in recovery until it is paid or written off': `
      SELECT o.id FROM orders o JOIN LATERAL (SELECT status FROM payments p WHERE p.order_id = o.id ORDER BY p.id DESC LIMIT 1) last
        ON last.status IN ('failed', 'canceled')
      WHERE o.status = 'pending' AND (o.subscription_id IS NOT NULL OR o.invoice_number IS NOT NULL) AND o.verifying_subscription_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM recoveries r WHERE r.order_id = o.id AND r.status = 'open')`,
    'the paid time of a subscription ends at its first unpaid order': `
      SELECT s.id FROM ${shown} s JOIN orders o ON o.subscription_id = s.id JOIN order_lines l ON l.order_id = o.id AND l.position = 0
      WHERE o.status = 'pending' AND s.paid_until > l.service_from AND NOT EXISTS (SELECT 1 FROM charged_changes c WHERE c.order_id = o.id)
      UNION ALL SELECT s.id FROM ${shown} s JOIN LATERAL (${sale}) o ON o.status = 'pending'
      WHERE s.started_at IS NOT NULL AND s.paid_until > s.started_at
      UNION ALL SELECT s.id FROM ${shown} s WHERE s.ended_at IS NULL AND s.paid_until < s.renewed_until
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.subscription_id = s.id AND o.status = 'pending')
        AND NOT EXISTS (SELECT 1 FROM (${sale}) o WHERE o.status = 'pending')
      UNION ALL SELECT s.id FROM ${shown} s JOIN subscription_periods p ON p.subscription_id = s.id AND p.end_at > p.start_at
        LEFT JOIN orders o ON o.id = p.order_id
      WHERE p.end_at > s.paid_until AND (o.id IS NULL OR o.status = 'paid') AND NOT EXISTS (
        SELECT 1 FROM subscription_periods before JOIN orders unpaid ON unpaid.id = before.order_id AND unpaid.status <> 'paid'
        WHERE before.subscription_id = s.id AND before.end_at > before.start_at AND before.start_at < p.start_at)
        AND NOT EXISTS (SELECT 1 FROM (${sale}) o WHERE o.status = 'pending')`,
  },
} as const satisfies Queries
