import {
  copy,
  first,
  foreign,
  lostMethods,
  paid,
  remove,
  set,
  setAtProvider,
  type ViolationFixtures,
} from './statements.ts'

const series = `invoice_scope || ' ' || substring(invoice_number FROM '^(.*)-[0-9]+$') AS id`

const usedLost = (change: string) =>
  `UPDATE unknown_payments SET ${change} WHERE used_by IS NOT NULL RETURNING ref AS id`

export const sales: ViolationFixtures = {
  // Invariant I1 of lib/modules/invariants/README.md.
  'the amounts of an order are the sums of its lines': [
    set('orders', 'total = total + 1', paid),
    set('orders', 'subtotal = subtotal - 1', paid),
  ],
  'the total of a line is its subtotal plus its taxes': [set('order_lines', 'total = total + 1')],
  'the subtotal of a line is its unit price times its quantity': [
    set('order_lines', 'quantity = quantity + 1', 'subtotal > 0'),
  ],
  'the total of an order is its subtotal plus its taxes': [set('orders', 'subtotal = subtotal + 1', paid)],
  'the tax summary has the sums of the line taxes by rate': [
    set(
      'orders',
      `tax_summary = jsonb_build_array(
        jsonb_set(tax_summary->0, '{amount}', to_jsonb(((tax_summary->0->>'amount')::bigint + 1)::text)),
        jsonb_set(tax_summary->1, '{amount}', to_jsonb(((tax_summary->1->>'amount')::bigint - 1)::text)))`,
      `jsonb_array_length(tax_summary) = 2`,
    ),
    set('order_lines', `taxes = '[]'`, `total > subtotal`, 'order_id AS id'),
  ],
  'the amounts of an order are not negative': [set('orders', 'total = -1')],

  'an order with a positive total is paid by one payment': [
    remove('payments', `status = 'paid'`, 'order_id AS id'),
    copy('payments', `status = 'paid'`, 'order_id AS id'),
  ],
  'a paid payment belongs to a paid sale of the same amount': [
    set('payments', 'amount = amount + 1', `status = 'paid'`),
    set('payments', `currency = 'XXX'`, `status = 'paid'`),
    set(
      'payments',
      `status = 'paid'`,
      `status = 'failed' AND order_id IN (SELECT id FROM orders WHERE status <> 'paid')`,
    ),
  ],
  'a payment method is verified by one payment of zero at a time': [
    set('payments', 'amount = 100', 'billing_update_link_id IS NOT NULL'),
    set(
      'orders',
      'verifying_subscription_id = NULL',
      'verifying_subscription_id IS NOT NULL',
      '(SELECT p.id FROM payments p WHERE p.order_id = orders.id)',
    ),
  ],
  'an order is paid at most once': [
    `UPDATE sandbox_payments SET status = 'paid' WHERE idempotency_key = ${first('payments', `status = 'failed' AND order_id IN (SELECT id FROM orders WHERE status = 'paid')`)}
      RETURNING (SELECT order_id FROM payments WHERE payments.id = idempotency_key) AS id`,
  ],
  'a mandate is not charged after a dispute ended it': [
    set(
      'payments',
      `created_at = '2100-01-01', mandate_id = (SELECT m.id FROM mandates m WHERE m.disputed_at IS NOT NULL LIMIT 1)`,
      `mandate_id IS NOT NULL`,
    ),
  ],
  'no payment is open for an order that is paid or canceled': [
    set('payments', `status = 'pending'`, `status = 'paid'`),
  ],
  'a payment is open if and only if it has no outcome': [
    set('payments', 'open_order_id = order_id', `status = 'paid'`),
    set('payments', 'paid_order_id = order_id', `status = 'failed'`),
    set('payments', `paid_order_id = 'another'`, `status = 'paid'`),
    set('payments', 'finished_at = NULL', `status = 'failed'`),
  ],
  'a provider reference belongs to one payment': [copy('payments', 'provider_ref IS NOT NULL')],
  'a payment that was lost in a restore pays one charge of its storefront, provider, and amount': [
    usedLost('amount = amount + 1'),
    usedLost(`currency = 'USD'`),
    usedLost(`provider = 'another'`),
    usedLost(`storefront_id = 'another'`),
    usedLost(`ref = 'another'`),
  ],
  'the payments at the provider agree with ours': [
    setAtProvider('sandbox_payments', `status = 'paid'`, `status = 'failed'`),
    setAtProvider('sandbox_payments', 'amount = amount + 1', `status = 'paid'`, 'idempotency_key AS id'),
    `DELETE FROM sandbox_payments WHERE ref = ${first('sandbox_payments', `status = 'paid'`, 'ref')} RETURNING idempotency_key AS id`,
  ],
  'a simulated payment is unknown to the provider': [set('payments', `provider = 'simulated'`, `status = 'paid'`)],
  'the refunds at the provider agree with ours': [
    setAtProvider('sandbox_refunds', `status = 'failed'`, `status = 'refunded'`),
    setAtProvider('sandbox_refunds', 'amount = amount + 1'),
    `WITH moved AS (${setAtProvider('sandbox_refunds', `idempotency_key = 'another'`, `status = 'failed'`, 'ref, old.idempotency_key AS key')})
      SELECT ref AS id FROM moved UNION ALL SELECT key FROM moved`,
    `DELETE FROM sandbox_refunds WHERE ref = ${first('sandbox_refunds', `status = 'refunded'`, 'ref')} RETURNING idempotency_key AS id`,
  ],
  'the provider returned no more than it took': [
    setAtProvider('sandbox_refunds', 'amount = 99999999', `status = 'refunded'`, 'payment_ref AS id'),
  ],
  'the chargebacks at the provider agree with ours': [
    setAtProvider('sandbox_chargebacks', 'amount = amount + 1'),
    setAtProvider('sandbox_chargebacks', `status = 'pending'`, `status = 'won'`),
    `DELETE FROM sandbox_chargebacks WHERE ref = ${first('sandbox_chargebacks', 'true', 'ref')}
      RETURNING (SELECT id FROM chargebacks WHERE provider_ref = ref)`,
    remove('chargebacks', 'true', 'provider_ref AS id'),
  ],

  // Invariant I5 of lib/modules/invariants/README.md.
  'an order has an invoice number if and only if it is a credit note, or is or was paid above zero': [
    set('orders', 'invoice_number = NULL, invoice_scope = NULL', paid),
    set('orders', `invoice_number = 'TEST-INV-2027-900000', invoice_scope = storefront_id`, `status = 'pending'`),
    set('orders', 'invoice_number = NULL, invoice_scope = NULL', 'credited_order_id IS NOT NULL'),
    set('orders', 'invoice_scope = NULL', paid),
  ],
  'a document number is in the series of its kind, mode, and year': [
    set('orders', `invoice_number = replace(invoice_number, 'INV', 'CN')`, paid),
    set('orders', `invoice_number = replace(invoice_number, 'CN', 'INV')`, 'credited_order_id IS NOT NULL'),
    set('orders', `invoice_number = replace(invoice_number, 'TEST-', '')`, paid),
    set('orders', `paid_at = paid_at + interval '1 year'`, paid),
    set(
      'orders',
      `invoice_scope = ${foreign('orders', 'storefronts')}`.replace('other.storefront_id', 'other.id'),
      paid,
    ),
  ],
  'a series of document numbers has no gap and no duplicate': [
    set('orders', `invoice_number = regexp_replace(invoice_number, '[0-9]+$', '000999')`, paid, series),
    set(
      'orders',
      `invoice_number = regexp_replace(invoice_number, '[0-9]+$', '000001')`,
      `invoice_number LIKE '%INV%-000002'`,
      series,
    ),
    set(
      'orders',
      `invoice_number = NULL`,
      `invoice_number LIKE '%CN%-000003'`,
      "invoice_scope || ' ' || left(old.invoice_number, -7) AS id",
    ),
    `UPDATE invoice_series SET last = last + 1 WHERE scope = ${first('invoice_series', 'true', 'scope')} AND name LIKE '%INV%' RETURNING scope || ' ' || name AS id`,
    `DELETE FROM invoice_series WHERE name LIKE '%CN%' RETURNING scope || ' ' || name AS id`,
  ],

  // Invariant I11 of lib/modules/invariants/README.md.
  'a checkout is paid if and only if its order is or was paid': [
    set('checkouts', `status = 'failed'`, `status = 'paid'`),
    set('orders', `status = 'pending'`, `${paid} AND checkout_id IS NOT NULL`, 'checkout_id AS id'),
  ],
  'a checkout has at most one order': [copy('orders', 'checkout_id IS NOT NULL', 'checkout_id AS id')],
  'a checkout that ended unpaid has no order that can be paid': [
    set('orders', `status = 'pending'`, `status = 'canceled' AND checkout_id IS NOT NULL`, 'checkout_id AS id'),
  ],
  'a paid checkout has a customer and a started subscription for each plan': [
    set('checkouts', 'customer_id = NULL', `status = 'paid'`),
    ...lostMethods('(SELECT checkout_id FROM checkout_lines l WHERE l.id = checkout_line_id) AS id'),
  ],

  // Invariant I12 of lib/modules/invariants/README.md.
  'a subscription starts with the terms of its checkout': [
    ...[
      `name = 'Another'`,
      'quantity = quantity + 1',
      'unit_price = unit_price + 1',
      `interval = 'year'`,
      `product_id = 'another'`,
    ].map(
      (
        change,
      ) => `UPDATE checkout_lines SET ${change} WHERE id = ${first('subscriptions', 'started_at IS NOT NULL', 'checkout_line_id')}
        RETURNING (SELECT s.id FROM subscriptions s WHERE s.checkout_line_id = checkout_lines.id)`,
    ),
  ],
  'a subscription has the terms of its last event': [
    'price = price + 1',
    `description = 'Another'`,
    `name = 'Another'`,
    'quantity = quantity + 1',
    'interval_count = 7',
  ].map((change) => set('subscriptions', change, `status = 'active'`)),
  'a product is sold with the terms of its checkout': [
    set('order_lines', `description = 'Another'`, `product_type = 'one_off_product'`),
    set('order_lines', `base_price = '1.00'`, `product_type = 'one_off_product'`),
  ],
  'the event of a paid order has the amounts of the order': [
    set('orders', 'total = total + 1', paid),
    set('orders', `invoice_number = 'TEST-INV-2020-000001'`, paid),
    set('orders', `customer_id = 'another'`, paid),
  ],

  // Invariant I14 of lib/modules/invariants/README.md.
  'the customers of a storefront and mode have different email addresses': [copy('customers')],
  'an email address is in canonical form': [
    set('customers', `email = 'Ada@Example.com'`),
    set('customers', `email = 'ada'`),
  ],
  'the endpoints of a storefront and mode have different URLs': [copy('webhook_endpoints')],
  'a storefront has at most five endpoints per mode': [
    set('webhook_endpoints', 'slot = NULL'),
    set('webhook_endpoints', 'slot = 6'),
    `INSERT INTO webhook_endpoints SELECT (jsonb_populate_record(original, jsonb_build_object('id', '!violation' || n))).*
      FROM webhook_endpoints original, generate_series(1, 5) n WHERE original.id = ${first('webhook_endpoints')} RETURNING '!violation1' AS id`,
  ],
}
