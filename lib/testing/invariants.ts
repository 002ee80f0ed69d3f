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
  'a payment that is paid is of a paid order, for its amount': `
    SELECT p.id FROM payments p JOIN orders o ON o.id = p.order_id WHERE p.status = 'paid' AND (o.status <> 'paid' OR p.amount <> o.total OR p.currency <> o.currency)`,
  'the provider took exactly what we know of': `
    SELECT s.ref FROM sandbox_payments s LEFT JOIN payments p ON p.provider_ref = s.ref WHERE s.status = 'paid' AND p.status IS DISTINCT FROM 'paid'
    UNION ALL SELECT p.id FROM payments p LEFT JOIN sandbox_payments s ON s.ref = p.provider_ref WHERE p.status = 'paid' AND s.status IS DISTINCT FROM 'paid'`,
  'nothing is paid twice': `
    SELECT p.order_id FROM payments p JOIN sandbox_payments s ON s.idempotency_key = p.id WHERE s.status = 'paid' GROUP BY 1 HAVING count(*) > 1`,
  'a series of numbers has no gap and no repetition': `
    SELECT s.scope || s.name FROM invoice_series s
    WHERE s.last <> (SELECT count(DISTINCT invoice_number) FROM orders o WHERE o.invoice_scope = s.scope AND o.invoice_number LIKE s.name || '-%')`,
  'a checkout is paid exactly when its order is': `
    SELECT c.id FROM checkouts c LEFT JOIN orders o ON o.checkout_id = c.id WHERE (c.status = 'paid') <> (coalesce(o.status, '') = 'paid')`,
  'a paid checkout has a customer and a started subscription per plan': `
    SELECT c.id FROM checkouts c JOIN checkout_lines l ON l.checkout_id = c.id AND l.kind = 'subscription_plan'
    LEFT JOIN subscriptions s ON s.checkout_line_id = l.id
    WHERE c.status = 'paid' AND (c.customer_id IS NULL OR s.id IS NULL OR s.status NOT IN ('active', 'trial') OR s.mandate_id IS NULL)`,
  'each event of a sale was told once': `
    SELECT entity_id || name FROM events WHERE name IN ('checkout.paid', 'order.paid', 'subscription.started', 'checkout.expired', 'checkout.canceled') GROUP BY entity_id, name HAVING count(*) > 1`,
  'what was paid was told': `
    SELECT o.id FROM orders o WHERE o.status = 'paid' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = o.id AND e.name = 'order.paid')
    UNION ALL SELECT c.id FROM checkouts c WHERE c.status = 'paid' AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = c.id AND e.name = 'checkout.paid')
    UNION ALL SELECT s.id FROM subscriptions s WHERE s.status IN ('active', 'trial') AND NOT EXISTS (SELECT 1 FROM events e WHERE e.entity_id = s.id AND e.name = 'subscription.started')`,
  'what was told happened': `
    SELECT e.id FROM events e LEFT JOIN orders o ON o.id = e.entity_id WHERE e.name = 'order.paid' AND o.status IS DISTINCT FROM 'paid'`,
  'the books balance': `SELECT currency FROM ledger_entries GROUP BY 1 HAVING sum(amount) <> 0`,
  'a paid order is booked once, in full': `
    SELECT o.id FROM orders o WHERE o.total <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.order_id = o.id AND e.account = 'provider_clearing')
    AND o.status = 'paid'`,
  'nothing unpaid is booked': `
    SELECT e.id FROM ledger_entries e LEFT JOIN orders o ON o.id = e.order_id WHERE o.status IS DISTINCT FROM 'paid'`,
  'an open delivery has its task': `
    SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.name = 'webhook.deliver' AND t.key = d.id)`,
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
