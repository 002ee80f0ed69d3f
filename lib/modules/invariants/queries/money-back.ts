import { byRate, isSale, otherTaxes, type Queries, wasReturned } from './query.ts'

const isOnItsWay = `r.status IN ('pending', 'queued', 'processing')`
const hasGone = `coalesce(r.status = 'refunded', c.status IN ('pending', 'evidence_submitted', 'accepted', 'lost'))`

const reversals = `
  SELECT l.*, coalesce(${isOnItsWay}, false) AS is_on_its_way, coalesce(${hasGone}, false) AS has_gone
  FROM reversal_lines l LEFT JOIN refunds r ON r.id = l.refund_id LEFT JOIN chargebacks c ON c.id = l.chargeback_id`
const counting = `(SELECT * FROM (${reversals}) line WHERE is_on_its_way OR has_gone)`

/** Finds rows of `table` whose sums differ from the sums of their lines. `by` is the column of `reversal_lines` that refers to `table`. */
const sumOfLines = (table: string, by: string): string => `
  SELECT back.id FROM ${table} back
  LEFT JOIN (SELECT ${by} AS id, sum(subtotal) AS subtotal, sum(total) AS total FROM reversal_lines GROUP BY 1) l ON l.id = back.id
  WHERE back.subtotal <> coalesce(l.subtotal, 0) OR back.total <> coalesce(l.total, 0)
  UNION ALL ${otherTaxes(byRate(table, 'id', 'tax_summary'), byRate('reversal_lines', by, 'taxes'))}
    AND id IS NOT NULL`

const creditNote = (table: string, statuses: string): string => `
  SELECT back.id FROM ${table} back LEFT JOIN orders note ON note.id = back.credit_note_id LEFT JOIN orders o ON o.id = back.order_id
  WHERE (note.id IS NOT NULL) <> (back.status IN (${statuses})) OR note.credited_order_id NOT IN (back.order_id, coalesce(o.replaced_by_id, ''))
    OR note.currency <> back.currency OR note.total - note.subtotal <> back.total - back.subtotal
    OR (back.subtotal > 0 AND note.subtotal <> back.subtotal)`

/** Matches the credit note of a replaced invoice. The credit note can exist before the refund of the tax. */
const isOfReplaced = `EXISTS (SELECT 1 FROM orders o WHERE o.id = note.credited_order_id AND o.replaced_by_id IS NOT NULL
  AND note.id = (SELECT max(last.id) FROM orders last WHERE last.credited_order_id = o.id AND last.id < o.replaced_by_id))`

const isOfWrittenOff = `EXISTS (SELECT 1 FROM orders o WHERE o.id = note.credited_order_id AND o.status = 'canceled')`

export const moneyBack = {
  I2: {
    'refunds and chargebacks of an order do not exceed its paid amount': `
      SELECT o.id FROM orders o
      JOIN (SELECT order_id, sum(subtotal) AS subtotal, sum(total) AS total FROM ${counting} line GROUP BY 1) back ON back.order_id = o.id
      WHERE o.status <> 'paid' OR back.subtotal > o.subtotal OR back.total > o.total`,
    'refunds and chargebacks of a line do not exceed its subtotal': `
      SELECT l.id FROM order_lines l
      JOIN (SELECT order_line_id, sum(subtotal) AS subtotal FROM ${counting} line GROUP BY 1) back ON back.order_line_id = l.id
      WHERE back.subtotal > l.subtotal`,
    'the returned tax of each rate does not exceed the charged tax': `
      SELECT id FROM (${byRate(`${counting} line`, 'order_id', 'taxes')}) back
      LEFT JOIN (${byRate('orders', 'id', 'tax_summary')}) charged USING (id, name, percentage)
      WHERE back.amount > coalesce(charged.amount, 0)`,
    'the returned sums of an order are the sums of its refunds and chargebacks': `
      SELECT o.id FROM orders o
      LEFT JOIN (SELECT order_id, sum(subtotal) FILTER (WHERE has_gone) AS gone, sum(subtotal) FILTER (WHERE is_on_its_way) AS on_its_way
        FROM (${reversals}) line GROUP BY 1) back ON back.order_id = o.id
      WHERE o.reversed_subtotal <> coalesce(back.gone, 0) OR o.refunding_subtotal <> coalesce(back.on_its_way, 0)`,
    'the returned sums of an order are at most its subtotal': `
      SELECT id FROM orders
      WHERE reversed_subtotal < 0 OR refunding_subtotal < 0 OR reversed_subtotal + refunding_subtotal > greatest(subtotal, 0)
        OR (reversed_subtotal + refunding_subtotal > 0 AND (status <> 'paid' OR NOT ${isSale('orders')}))`,
    'the amounts of a refund are the sums of its lines': sumOfLines('refunds', 'refund_id'),
    'the allocated amount of a chargeback is the sum of its lines': sumOfLines('chargebacks', 'chargeback_id'),
    'the total of a reversal line is its subtotal plus its taxes': `
      SELECT id FROM reversal_lines
      WHERE total <> subtotal + (SELECT coalesce(sum((tax->>'amount')::bigint), 0) FROM jsonb_array_elements(taxes) tax) OR subtotal < 0`,
    'a dispute is allocated at most the remaining amount of its order': `
      SELECT c.id FROM chargebacks c JOIN orders o ON o.id = c.order_id
      WHERE c.status IN ('pending', 'evidence_submitted') AND c.total < c.amount AND o.reversed_subtotal + o.refunding_subtotal < o.subtotal`,
    'a chargeback under review or rejected has no allocation': `
      SELECT c.id FROM chargebacks c WHERE c.status IN ('requires_amount_review', 'rejected')
      AND (c.subtotal <> 0 OR c.total <> 0 OR EXISTS (SELECT 1 FROM reversal_lines l WHERE l.chargeback_id = c.id))`,
    'a refund or chargeback has the currency and customer of a paid sale': `
      SELECT back.id FROM (
        SELECT id, order_id, currency, customer_id FROM refunds UNION ALL SELECT id, order_id, currency, customer_id FROM chargebacks) back
      LEFT JOIN orders o ON o.id = back.order_id
      WHERE (o.status IS DISTINCT FROM 'paid' AND NOT ${wasReturned('o.id')}) OR NOT ${isSale('o')} OR o.total = 0
        OR o.currency <> back.currency OR o.customer_id IS DISTINCT FROM back.customer_id`,
  },

  I15: {
    'a refund has a credit note if and only if it is refunded': creditNote('refunds', `'refunded'`),
    'a chargeback has a credit note if and only if it is accepted or lost': creditNote(
      'chargebacks',
      `'accepted', 'lost'`,
    ),
    'a credit note belongs to one refund, one chargeback, or an order that was written off': `
      SELECT note.id FROM orders note LEFT JOIN refunds r ON r.credit_note_id = note.id LEFT JOIN chargebacks c ON c.credit_note_id = note.id
      WHERE note.credited_order_id IS NOT NULL AND (r.id IS NULL) = (c.id IS NULL)
        AND NOT (r.id IS NULL AND (${isOfReplaced} OR ${isOfWrittenOff}))`,
    'an order that was written off after its invoice has one credit note of the whole invoice': `
      SELECT o.id FROM orders o LEFT JOIN orders note ON note.credited_order_id = o.id
      WHERE o.status = 'canceled' AND o.invoice_number IS NOT NULL GROUP BY o.id
      HAVING count(note.id) <> 1 OR sum(note.total) <> o.total OR sum(note.subtotal) <> o.subtotal`,
    'a replaced invoice has one credit note, one replacing invoice, and one refund of its tax': `
      SELECT o.id FROM (SELECT orders.*, least, most, alive FROM orders LEFT JOIN (
        SELECT order_id, min(total) AS least, max(total) AS most, count(*) FILTER (WHERE status IN ('processing', 'refunded')) AS alive
        FROM refunds WHERE subtotal = 0 GROUP BY 1) r ON r.order_id = orders.id
        WHERE replaced_by_id IS NOT NULL OR r.order_id IS NOT NULL) o
      LEFT JOIN orders n ON n.id = o.replaced_by_id
      LEFT JOIN LATERAL (SELECT * FROM orders note WHERE note.credited_order_id = o.id AND note.id < n.id
        ORDER BY note.id DESC LIMIT 1) note ON true
      WHERE n.replaces_order_id IS DISTINCT FROM o.id
        OR n.total <> n.subtotal OR n.subtotal IS DISTINCT FROM note.subtotal OR n.currency <> o.currency
        OR note.total - note.subtotal IS DISTINCT FROM o.least OR o.least <> o.most OR o.alive > 1
      UNION ALL SELECT n.id FROM orders n LEFT JOIN orders o ON o.id = n.replaces_order_id
      WHERE n.replaces_order_id IS NOT NULL AND o.replaced_by_id IS DISTINCT FROM n.id`,
    'a refund that was not sent has no ledger entries': `
      SELECT r.id FROM refunds r WHERE r.status IN ('pending', 'queued', 'canceled')
      AND (EXISTS (SELECT 1 FROM ledger_entries e WHERE e.subject_id = r.id)
        OR EXISTS (SELECT 1 FROM sandbox_refunds s WHERE s.idempotency_key = r.id))`,
    'a refund or chargeback has an end time if and only if it has an outcome': `
      SELECT id FROM refunds WHERE (finished_at IS NOT NULL) <> (status IN ('refunded', 'failed', 'canceled'))
      UNION ALL SELECT id FROM chargebacks WHERE (finished_at IS NOT NULL) <> (status IN ('accepted', 'rejected', 'won', 'lost'))`,
  },
} as const satisfies Queries
