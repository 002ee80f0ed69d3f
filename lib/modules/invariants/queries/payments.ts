import { sendDecision } from '../../chargebacks/tasks.ts'
import { syncChargeback, syncPayment } from '../../payments/tasks.ts'
import { chargePayment } from '../../subscriptions/tasks.ts'
import { hasTask, isSale, type Queries } from './query.ts'

/**
 * The test provider can have an outcome that the service has not read yet. The checks accept such an outcome if a task or a test helper will
 * deliver the outcome later.
 */
export const payments = {
  I4: {
    'an order with a positive total is paid by one payment': `
      SELECT o.id FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.status = 'paid'
      WHERE o.status = 'paid' AND o.total > 0 AND ${isSale('o')} GROUP BY o.id HAVING count(p.id) <> 1`,
    'a paid payment belongs to a paid sale of the same amount': `
      SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.status = 'paid' AND (o.status <> 'paid' OR NOT ${isSale('o')} OR p.amount <> o.total OR p.currency <> o.currency)`,
    'a payment method is verified by one payment of zero at a time': `
      SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.billing_update_link_id IS NOT NULL AND (p.amount <> 0 OR p.mandate_id IS NOT NULL OR NOT p.makes_mandate
        OR (o.verifying_subscription_id IS NOT NULL) <> (o.status IN ('created', 'pending')))`,
    'an order is paid at most once': `
      SELECT p.order_id AS id FROM payments p LEFT JOIN sandbox_payments s ON s.idempotency_key = p.id
      WHERE (s.status = 'paid' AND p.return_ref IS NULL) OR (p.provider = 'simulated' AND p.status = 'paid') GROUP BY 1 HAVING count(*) > 1`,
    'a mandate is not charged after a dispute ended it': `
      SELECT p.id FROM payments p JOIN mandates m ON m.id = p.mandate_id WHERE p.created_at > m.disputed_at`,
    'no payment is open for an order that is paid or canceled': `
      SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.status IN ('created', 'open', 'pending') AND o.status NOT IN ('created', 'pending')`,
    'a payment is open if and only if it has no outcome': `
      SELECT id FROM payments WHERE (open_order_id IS NOT NULL) <> (status IN ('created', 'open', 'pending'))
        OR (paid_order_id IS NOT NULL) <> (status = 'paid') OR coalesce(open_order_id, paid_order_id, order_id) <> order_id
        OR (finished_at IS NULL) <> (status IN ('created', 'open', 'pending'))`,
    'a provider reference belongs to one payment': `
      SELECT min(id) AS id FROM payments WHERE provider_ref IS NOT NULL GROUP BY provider_ref HAVING count(*) > 1`,
    'a payment that was lost in a restore pays one charge of its storefront, provider, and amount': `
      SELECT u.ref AS id FROM unknown_payments u JOIN payments p ON p.id = u.used_by
      WHERE p.mandate_id IS NULL OR p.storefront_id <> u.storefront_id OR p.provider <> u.provider OR p.amount <> u.amount
        OR p.currency <> u.currency OR p.provider_ref <> u.ref`,
    'the payments at the provider agree with ours': `
      SELECT s.ref AS id FROM sandbox_payments s LEFT JOIN payments p ON p.id = s.idempotency_key
      WHERE s.status = 'paid' AND p.status IS DISTINCT FROM 'paid' AND p.return_ref IS NULL
        AND NOT ${hasTask(syncPayment, 's.ref')}
        AND NOT ${hasTask(chargePayment, 's.idempotency_key')}
        AND NOT EXISTS (SELECT 1 FROM simulations m WHERE m.open_order_id = p.order_id)
      UNION ALL SELECT p.id FROM payments p LEFT JOIN sandbox_payments s ON s.ref = p.provider_ref
      WHERE p.status = 'paid' AND p.provider = 'sandbox'
        AND (s.status IS DISTINCT FROM 'paid' OR s.amount <> p.amount OR s.currency <> p.currency OR s.idempotency_key <> p.id)`,
    'a simulated payment is unknown to the provider': `
      SELECT p.id FROM payments p LEFT JOIN sandbox_payments s ON s.idempotency_key = p.id
      WHERE p.provider = 'simulated' AND (p.provider_ref IS NOT NULL OR s.ref IS NOT NULL)`,
    'the refunds at the provider agree with ours': `
      SELECT s.ref AS id FROM sandbox_refunds s LEFT JOIN refunds r ON r.id = s.idempotency_key
      LEFT JOIN payments p ON p.provider_ref = s.payment_ref
      WHERE r.id IS NULL OR p.order_id IS DISTINCT FROM r.order_id OR s.amount <> r.total OR s.currency <> r.currency
        OR (r.status <> s.status AND NOT (r.status = 'processing'
          AND EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'refund.send' AND t.key = r.id)))
      UNION ALL SELECT r.id FROM refunds r JOIN payments p ON p.paid_order_id = r.order_id
      LEFT JOIN sandbox_refunds s ON s.idempotency_key = r.id
      WHERE r.status IN ('refunded', 'failed') AND p.provider = 'sandbox' AND s.ref IS NULL`,
    'the provider returned no more than it took': `
      SELECT s.ref AS id FROM sandbox_payments s
      JOIN (SELECT payment_ref, sum(amount) AS amount FROM sandbox_refunds WHERE status = 'refunded' GROUP BY 1) back ON back.payment_ref = s.ref
      WHERE s.status <> 'paid' OR back.amount > s.amount`,
    'the chargebacks at the provider agree with ours': `
      SELECT s.ref AS id FROM sandbox_chargebacks s LEFT JOIN chargebacks c ON c.provider_ref = s.ref
      LEFT JOIN payments p ON p.provider_ref = s.payment_ref
      WHERE NOT ${hasTask(syncChargeback, 's.ref')} AND NOT (c.id IS NULL AND p.return_ref IS NOT NULL)
        AND (c.id IS NULL OR p.order_id IS DISTINCT FROM c.order_id OR s.amount <> c.amount OR s.currency <> c.currency
          OR (c.status NOT IN ('requires_amount_review', 'rejected') AND c.status <> s.status AND NOT ${hasTask(sendDecision, 's.ref')})
          OR (c.status = 'rejected' AND s.status <> 'won' AND NOT ${hasTask(sendDecision, 's.ref')}))
      UNION ALL SELECT c.id FROM chargebacks c JOIN payments p ON p.paid_order_id = c.order_id AND p.provider = 'sandbox'
      LEFT JOIN sandbox_chargebacks s ON s.ref = c.provider_ref WHERE s.ref IS NULL`,
  },
} as const satisfies Queries
