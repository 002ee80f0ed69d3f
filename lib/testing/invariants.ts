import { db } from '../platform/db.ts'

/** What must hold at every moment: each query answers the rows that break it. */
const invariants: Readonly<Record<string, string>> = {
  'an order is the sum of its lines': `
    SELECT o.id FROM orders o JOIN (SELECT order_id, sum(total) AS total, sum(subtotal) AS subtotal FROM order_lines GROUP BY 1) l ON l.order_id = o.id
    WHERE o.total <> l.total OR o.subtotal <> l.subtotal`,
  'a line is its subtotal and its taxes': `
    SELECT id FROM order_lines WHERE total <> subtotal + (SELECT sum((tax->>'amount')::bigint) FROM jsonb_array_elements(taxes) tax)`,
  'the tax summary is the taxes of the lines': `
    SELECT o.id FROM orders o WHERE o.total - o.subtotal <> (SELECT coalesce(sum((tax->>'amount')::bigint), 0) FROM jsonb_array_elements(o.tax_summary) tax)`,
  'no order is of less than nothing': `SELECT id FROM orders WHERE total < 0 OR subtotal < 0`,

  'a payment that is paid is of a paid order, for its amount': `
    SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.status = 'paid' AND (o.status <> 'paid' OR p.amount <> o.total OR p.currency <> o.currency)`,
  'an order over more than nothing is paid by one payment': `
    SELECT o.id FROM orders o WHERE o.status = 'paid' AND o.total > 0 AND (SELECT count(*) FROM payments p WHERE p.order_id = o.id AND p.status = 'paid') <> 1`,
  'the provider took exactly what we know of': `
    SELECT s.ref FROM sandbox_payments s LEFT JOIN payments p ON p.provider_ref = s.ref WHERE s.status = 'paid' AND p.status IS DISTINCT FROM 'paid'
    UNION ALL SELECT p.id FROM payments p LEFT JOIN sandbox_payments s ON s.ref = p.provider_ref
    WHERE p.status = 'paid' AND p.provider = 'sandbox' AND (s.status IS DISTINCT FROM 'paid' OR s.amount <> p.amount)`,
  'nothing is paid twice': `
    SELECT p.order_id FROM payments p LEFT JOIN sandbox_payments s ON s.idempotency_key = p.id
    WHERE s.status = 'paid' OR (p.provider = 'simulated' AND p.status = 'paid') GROUP BY 1 HAVING count(*) > 1`,
  'the provider knows nothing of what is simulated': `
    SELECT p.id FROM payments p WHERE p.provider = 'simulated' AND (p.provider_ref IS NOT NULL OR EXISTS (SELECT 1 FROM sandbox_payments s WHERE s.idempotency_key = p.id))`,
  'a series of numbers has no gap and no repetition': `
    SELECT s.scope || s.name FROM invoice_series s
    WHERE s.last <> (SELECT count(DISTINCT invoice_number) FROM orders o WHERE o.invoice_scope = s.scope AND o.invoice_number LIKE s.name || '-%')`,

  'a checkout is paid exactly when its order is': `
    SELECT c.id FROM checkouts c LEFT JOIN orders o ON o.checkout_id = c.id WHERE (c.status = 'paid') <> (coalesce(o.status, '') = 'paid')`,
  'a paid checkout has a customer and a started subscription per plan': `
    SELECT c.id FROM checkouts c JOIN checkout_lines l ON l.checkout_id = c.id AND l.kind = 'subscription_plan'
    LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
    WHERE c.status = 'paid' AND (c.customer_id IS NULL OR s.id IS NULL OR s.started_at IS NULL OR s.mandate_id IS NULL)`,

  'a period that was billed has its order': `
    SELECT p.id FROM subscription_periods p LEFT JOIN orders o ON o.id = p.order_id
    WHERE p.order_id IS NOT NULL AND (o.id IS NULL OR o.subscription_id IS DISTINCT FROM p.subscription_id AND o.checkout_id IS NULL)`,
  'an order bills one period of a subscription at most': `
    SELECT order_id FROM subscription_periods WHERE order_id IS NOT NULL GROUP BY order_id, subscription_id HAVING count(*) > 1`,
  'a subscription stands in the period that was billed last': `
    SELECT s.id FROM subscriptions s WHERE s.period_start IS NOT NULL AND NOT EXISTS (SELECT 1 FROM subscription_periods p
      WHERE p.subscription_id = s.id AND p.start_at = s.period_start AND p.end_at = s.period_end)
    UNION ALL SELECT s.id FROM subscriptions s JOIN subscription_periods p ON p.subscription_id = s.id WHERE p.start_at > s.period_start AND p.end_at > p.start_at
    UNION ALL SELECT id FROM subscriptions WHERE period_end > renewed_until OR (period_end < renewed_until AND trial_until IS NULL AND ended_at IS NULL)`,
  'a status agrees with its times': `
    SELECT id FROM subscriptions WHERE (status IN ('active', 'trial', 'on_grace_period', 'paused')) <> (started_at IS NOT NULL AND ended_at IS NULL)
    OR (status = 'trial' AND trial_until IS DISTINCT FROM renewed_until) OR (status IN ('active', 'paused', 'canceled', 'created') AND trial_until IS NOT NULL)
    OR (status IN ('on_grace_period', 'canceled') AND started_at IS NOT NULL) <> (canceled_at IS NOT NULL)`,
  'what is canceled plans nothing and bills nothing later': `
    SELECT id FROM subscriptions WHERE status IN ('on_grace_period', 'canceled') AND scheduled_update IS NOT NULL OR status = 'canceled' AND parked IS NOT NULL`,

  'a subscription that goes on has its timer, unless something is recovered': `
    SELECT s.id FROM subscriptions s WHERE s.status IN ('active', 'trial', 'on_grace_period')
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'subscription.period_end' AND t.key = s.id || ' ' || to_char(s.renewed_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    AND (s.status = 'on_grace_period' OR NOT EXISTS (SELECT 1 FROM recoveries r WHERE r.subscription_id = s.id AND r.status = 'open'))`,
  'a charge that was decided on has its task': `
    SELECT p.id FROM payments p WHERE p.mandate_id IS NOT NULL AND p.status = 'created' AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'subscription.charge' AND t.key = p.id)`,
  'an open recovery has its next step, or waits for an attempt': `
    SELECT r.id FROM recoveries r WHERE r.status = 'open'
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'recovery.step' AND t.key = r.id || ' ' || r.steps_done)
    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.open_order_id = r.order_id)`,
  'a recovery is over when its order is': `
    SELECT r.id FROM recoveries r JOIN orders o ON o.id = r.order_id
    WHERE (r.status = 'open' AND o.status <> 'pending') OR (r.status = 'recovered') <> (o.status = 'paid' AND r.status <> 'ended')`,
  'an open fast-forward waits for its task or its order': `
    SELECT f.id FROM fast_forwards f LEFT JOIN orders o ON o.id = f.order_id WHERE f.open_subscription_id IS NOT NULL
    AND CASE WHEN o.id IS NULL THEN NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'testmode.fast_forward' AND t.key = f.id) ELSE o.status <> 'pending' END`,
  'an open simulation has its task': `
    SELECT s.id FROM simulations s WHERE s.open_order_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'testmode.simulate' AND t.key = s.id)`,

  'each event of a life was told once': `
    SELECT entity_id || name FROM events WHERE name IN ('checkout.paid', 'order.paid', 'order.canceled', 'order.payment_failed', 'subscription.started', 'checkout.expired', 'checkout.canceled',
      'subscription.canceled_immediately', 'subscription.canceled_for_nonpayment', 'subscription.cancellation_grace_period_completed') GROUP BY entity_id, name HAVING count(*) > 1`,
  'what was paid was told': `
    SELECT o.id FROM orders o WHERE o.status = 'paid' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = o.id AND e.name = 'order.paid')
    UNION ALL SELECT c.id FROM checkouts c WHERE c.status = 'paid' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = c.id AND e.name = 'checkout.paid')
    UNION ALL SELECT s.id FROM subscriptions s WHERE s.started_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = s.id AND e.name = 'subscription.started')`,
  'what ended was told': `
    SELECT o.id FROM orders o WHERE o.status = 'canceled' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = o.id AND e.name = 'order.canceled')
    UNION ALL SELECT s.id FROM subscriptions s WHERE s.status = 'canceled' AND s.started_at IS NOT NULL AND (SELECT count(*) FROM events e WHERE e.entity_id = s.id
      AND e.name IN ('subscription.canceled_immediately', 'subscription.canceled_for_nonpayment', 'subscription.cancellation_grace_period_completed')) <> 1
    UNION ALL SELECT r.id FROM recoveries r WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = r.order_id AND e.name = 'order.payment_failed')`,
  'each renewal was told': `
    SELECT s.id FROM subscriptions s WHERE (SELECT count(*) FROM events e WHERE e.entity_id = s.id AND e.name = 'subscription.updated' AND e.body::json->>'reason' IN ('renewed', 'updated_on_renewal'))
      > (SELECT count(*) FROM subscription_periods p WHERE p.subscription_id = s.id)`,
  'what was told happened': `
    SELECT e.id FROM events e LEFT JOIN orders o ON o.id = e.entity_id WHERE e.name IN ('order.paid', 'order.canceled') AND o.status IS DISTINCT FROM split_part(e.name, '.', 2)
    UNION ALL SELECT e.id FROM events e LEFT JOIN recoveries r ON r.order_id = e.entity_id JOIN orders o ON o.id = e.entity_id WHERE e.name = 'order.payment_failed' AND r.id IS NULL AND o.status <> 'canceled'`,
  'nothing comes back from its end': `
    SELECT later.id FROM events ended JOIN events later ON later.entity_id = ended.entity_id AND later.id > ended.id
    WHERE ended.name IN ('subscription.canceled_immediately', 'subscription.canceled_for_nonpayment', 'subscription.cancellation_grace_period_completed',
      'order.paid', 'order.canceled', 'checkout.paid', 'checkout.expired', 'checkout.canceled')`,
  'what was told last is how it is': `
    SELECT s.id FROM subscriptions s JOIN LATERAL (SELECT body::json->'object' AS object FROM events e WHERE e.entity_id = s.id ORDER BY e.id DESC LIMIT 1) told ON true
    WHERE told.object->>'status' <> s.status OR (told.object->>'quantity')::int <> s.quantity
    OR told.object->>'renewedUntil' IS DISTINCT FROM to_char(s.renewed_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,

  'the books balance': `SELECT currency FROM ledger_entries GROUP BY 1 HAVING sum(amount) <> 0`,
  'a paid order is booked once, in full': `
    SELECT o.id FROM orders o WHERE o.total <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.order_id = o.id AND e.account = 'provider_clearing')
    AND o.status = 'paid'`,
  'nothing unpaid is booked': `
    SELECT e.id FROM ledger_entries e LEFT JOIN orders o ON o.id = e.order_id WHERE o.status IS DISTINCT FROM 'paid'`,
  'an open delivery has its task': `
    SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'webhook.deliver' AND t.key = d.id)`,
  'an event has one delivery for each endpoint that wanted it': `
    SELECT e.id FROM events e JOIN webhook_endpoints w ON w.storefront_id = e.storefront_id AND w.testmode = e.testmode AND e.name = ANY(w.enabled_events)
    AND w.deleted_at IS NULL AND w.created_at < e.created_at AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)`,
  'an open checkout has its timer': `
    SELECT c.id FROM checkouts c WHERE c.status IN ('created', 'failed') AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'checkout.expire' AND t.key = c.id)`,
}

/** The invariants that do not hold, with the rows that break them. */
export async function brokenInvariants(): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(invariants)) {
    const rows = await db().$queryRawUnsafe<unknown[]>(query)
    if (rows.length > 0) broken[name] = rows
  }
  return broken
}

/** Between the kill and the recovery the provider may know more than we do: that, and only that, may differ. */
export async function brokenAtRest(): Promise<Record<string, unknown[]>> {
  const { 'the provider took exactly what we know of': _, ...broken } = await brokenInvariants()
  return broken
}
