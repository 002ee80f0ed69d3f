import { byRate, otherTaxes, type Queries, wasReturned } from './query.ts'

export const orders = {
  I1: {
    'the amounts of an order are the sums of its lines': `
      SELECT o.id FROM orders o
      LEFT JOIN (SELECT order_id, sum(total) AS total, sum(subtotal) AS subtotal FROM order_lines GROUP BY 1) l ON l.order_id = o.id
      WHERE o.total <> coalesce(l.total, 0) OR o.subtotal <> coalesce(l.subtotal, 0)`,
    'the total of a line is its subtotal plus its taxes': `
      SELECT id FROM order_lines
      WHERE total <> subtotal + (SELECT coalesce(sum((tax->>'amount')::bigint), 0) FROM jsonb_array_elements(taxes) tax)`,
    'the subtotal of a line is its unit price times its quantity': `
      SELECT id FROM order_lines WHERE subtotal <> round(base_price::numeric * quantity * 100)`,
    'the total of an order is its subtotal plus its taxes': `
      SELECT id FROM orders
      WHERE total <> subtotal + (SELECT coalesce(sum((tax->>'amount')::bigint), 0) FROM jsonb_array_elements(tax_summary) tax)`,
    'the tax summary has the sums of the line taxes by rate': otherTaxes(
      byRate('orders', 'id', 'tax_summary'),
      byRate('order_lines', 'order_id', 'taxes'),
    ),
    'the amounts of an order are not negative': `SELECT id FROM orders WHERE total < 0 OR subtotal < 0 OR total < subtotal`,
  },

  I5: {
    'an order has an invoice number if and only if it is a credit note, or is or was paid above zero': `
      SELECT id FROM orders
      WHERE (invoice_number IS NOT NULL) <> ((status = 'paid' AND (total > 0 OR credited_order_id IS NOT NULL)) OR ${wasReturned('orders.id')})
        OR (invoice_number IS NULL) <> (invoice_scope IS NULL)`,
    'a document number is in the series of its kind, mode, and year': `
      SELECT id FROM orders WHERE invoice_number IS NOT NULL AND NOT (
        invoice_scope = CASE WHEN testmode THEN storefront_id ELSE 'live' END
        AND invoice_number ~ ('^' || CASE WHEN testmode THEN 'TEST-' ELSE '' END
          || CASE WHEN credited_order_id IS NULL THEN 'INV-' ELSE 'CN-' END
          || to_char(paid_at AT TIME ZONE 'UTC', 'YYYY') || '-[0-9]{6,}$'))`,
    'a series of document numbers has no gap and no duplicate': `
      WITH numbered AS (
        SELECT invoice_scope AS scope, substring(invoice_number FROM '^(.*)-[0-9]+$') AS name,
          count(*) AS numbers, count(DISTINCT n) AS different, min(n) AS first, max(n) AS last
        FROM orders, LATERAL (SELECT substring(invoice_number FROM '[0-9]+$')::bigint AS n) number
        WHERE invoice_number IS NOT NULL GROUP BY 1, 2)
      SELECT scope || ' ' || name AS id FROM numbered n FULL JOIN invoice_series s USING (scope, name)
      WHERE s.last IS NULL OR n.last IS NULL OR n.first < 1 OR n.last > s.last OR n.different <> n.numbers
        OR n.numbers + s.elsewhere <> s.last`,
  },
} as const satisfies Queries
