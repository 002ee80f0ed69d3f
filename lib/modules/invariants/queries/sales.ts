import { eventsIn, lastOfSubscriptions, mayLackMethod, type Queries, wasReturned, wire } from './query.ts'

const started = `
  SELECT e.entity_id AS subscription_id, l.*, parsed.object FROM events e
  JOIN subscriptions s ON s.id = e.entity_id JOIN checkout_lines l ON l.id = s.checkout_line_id, ${eventsIn('e')}
  WHERE e.name = 'subscription.started'`

export const sales = {
  I11: {
    'a checkout is paid if and only if its order is or was paid': `
      SELECT c.id FROM checkouts c LEFT JOIN orders o ON o.checkout_id = c.id WHERE (c.status = 'paid') <> (coalesce(o.status, '') = 'paid' OR (o.id IS NOT NULL AND ${wasReturned('o.id')}))`,
    'a checkout has at most one order': `SELECT checkout_id AS id FROM orders WHERE checkout_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
    'a checkout that ended unpaid has no order that can be paid': `
      SELECT c.id FROM checkouts c JOIN orders o ON o.checkout_id = c.id WHERE c.status IN ('canceled', 'expired') AND o.status <> c.status`,
    'a paid checkout has a customer and a started subscription for each plan': `
      SELECT c.id FROM checkouts c LEFT JOIN checkout_lines l ON l.checkout_id = c.id AND l.kind = 'subscription_plan'
      LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
      WHERE c.status = 'paid' AND (c.customer_id IS NULL OR (l.id IS NOT NULL AND (s.id IS NULL OR s.started_at IS NULL OR (s.mandate_id IS NULL AND l.unit_price > 0 AND NOT ${mayLackMethod('s')}))))`,
  },

  I12: {
    'a subscription starts with the terms of its checkout': `
      SELECT subscription_id AS id FROM (${started}) s
      WHERE object->>'name' <> name OR object->>'description' <> description OR object->>'subscriptionPlanId' <> product_id
        OR (object->>'quantity')::int <> quantity OR object->>'interval' <> interval OR (object->>'intervalCount')::int <> interval_count
        OR (object->'basePrice'->>'currency' = 'EUR' AND (object->'basePrice'->>'value')::numeric * 100 <> unit_price)`,
    'a subscription has the terms of its last event': `
      SELECT s.id FROM subscriptions s, ${lastOfSubscriptions}
      WHERE last.entity_id = s.id AND (object->>'name' <> s.name OR object->>'description' <> s.description OR object->>'subscriptionPlanId' <> s.subscription_plan_id
        OR (object->>'quantity')::int <> s.quantity OR object->>'interval' <> s.interval OR (object->>'intervalCount')::int <> s.interval_count
        OR (object->'basePrice'->>'value')::numeric * 100 <> s.price OR object->'basePrice'->>'currency' <> s.currency)`,
    'a product is sold with the terms of its checkout': `
      SELECT l.id FROM order_lines l JOIN orders o ON o.id = l.order_id
      WHERE o.checkout_id IS NOT NULL AND l.product_type = 'one_off_product' AND NOT EXISTS (SELECT 1 FROM checkout_lines offered
        WHERE offered.checkout_id = o.checkout_id AND offered.product_id = l.product_id AND offered.name = l.description AND offered.quantity = l.quantity
        AND (o.currency <> 'EUR' OR o.tax_behavior <> 'exclusive' OR offered.unit_price = l.base_price::numeric * 100))`,
    'the event of a paid order has the amounts of the order': `
      SELECT o.id FROM events e JOIN orders o ON o.id = e.entity_id, ${eventsIn('e')}
      WHERE e.name = 'order.paid' AND (object->>'invoiceNumber' IS DISTINCT FROM o.invoice_number
        OR (object->'total'->>'value')::numeric * 100 <> o.total OR (object->'subtotal'->>'value')::numeric * 100 <> o.subtotal
        OR object->'total'->>'currency' <> o.currency OR object->>'customerId' IS DISTINCT FROM o.customer_id
        OR object->>'createdAt' <> ${wire('o.created_at')})`,
  },
} as const satisfies Queries
