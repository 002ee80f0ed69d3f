import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { oldDatabase } from '../lib/testing/old-database.ts'

const before = (name: string) =>
  readdirSync('prisma/migrations').filter((folder) => /^\d/.test(folder) && folder < name)

it('tables, columns and waiting tasks get their new names and keep their data', async () => {
  const name = '20261122160000_one_vocabulary'
  const { client, migrate, drop } = await oldDatabase('one_vocabulary', ...before(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO clocks (storefront_id, frozen_at, advancing_to, driver, driven_until)
        VALUES ('storefront_1', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', 'one', 'infinity');
      INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, ring_at, generation, created_at) VALUES
        ('task_1', 'mail.send', 'mail_1', 'storefront_1', true, 'real', '{}', now(), '2027-03-01T00:00:00Z', 7, now()),
        ('task_2', 'billing.end_verification', 'order_1', 'storefront_1', true, 'storefront', '{}', now(), now(), 0, now()),
        ('task_3', 'refund.send', 'refund_1', 'storefront_1', true, 'real', '{}', now(), now(), 0, now())`)
    await migrate(name)
    const tasks = await client.query('SELECT name, run_at, claim_version FROM tasks ORDER BY id')
    expect(tasks.rows).toMatchObject([
      { name: 'email.send', run_at: new Date('2027-03-01T00:00:00Z'), claim_version: 7 },
      { name: 'billing_update.end_verification' },
      { name: 'refund.send' },
    ])
    const clocks = await client.query('SELECT runner_id, advance_leased_until::text AS until FROM clocks')
    expect(clocks.rows).toEqual([{ runner_id: 'one', until: 'infinity' }])
    const moved = await client.query(`SELECT move_clock('storefront_1', 'one', '2027-01-15T00:00:00Z') AS mine`)
    expect(moved.rows).toEqual([{ mine: true }])
    const tables = await client.query(
      `SELECT count(*)::int AS n FROM billing_update_links, invoice_update_links, emails, payments WHERE billing_update_link_id IS NULL`,
    )
    expect(tables.rows).toEqual([{ n: 0 }])
  } finally {
    await drop()
  }
})

it('mandates are the test provider’s, and its waiting tasks name the payment', async () => {
  const name = '20261122180000_providers'
  const { client, migrate, drop } = await oldDatabase('providers', ...before(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO clocks (storefront_id) VALUES ('storefront_1');
      INSERT INTO customers (id, storefront_id, testmode, email, created_at)
        VALUES ('customer_1', 'storefront_1', true, 'ada@example.com', now());
      INSERT INTO mandates (id, storefront_id, testmode, customer_id, method, masked_identifier, provider_ref, status, created_at)
        VALUES ('mandate_1', 'storefront_1', true, 'customer_1', 'card', '4242', 'sandbox_1', 'valid', now());
      INSERT INTO sandbox_chargebacks (ref, storefront_id, payment_ref, amount, currency, reason, status, created_at)
        VALUES ('sandbox_3', 'storefront_1', 'sandbox_1', 100, 'EUR', 'fraud', 'pending', now());
      INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, claim_version, created_at)
      SELECT 'task_' || n, name, 'key', 'storefront_1', true, 'storefront', data, now(), now(), 0, now() FROM (VALUES
        (1, 'payments.news', '{"ref": "sandbox_2"}'::jsonb),
        (2, 'payments.chargeback_news', '{"ref": "sandbox_3"}'),
        (3, 'chargeback.tell_decision', '{"ref": "sandbox_3", "to": "rejected"}')) AS waiting (n, name, data)`)
    await migrate(name)
    expect((await client.query('SELECT provider FROM mandates')).rows).toEqual([{ provider: 'sandbox' }])
    expect((await client.query('SELECT name, data FROM tasks ORDER BY id')).rows).toEqual([
      { name: 'payment.sync', data: { ref: 'sandbox_2' } },
      { name: 'chargeback.sync', data: { ref: 'sandbox_3', paymentRef: 'sandbox_1' } },
      { name: 'chargeback.send_decision', data: { ref: 'sandbox_3', to: 'rejected' } },
    ])
  } finally {
    await drop()
  }
})

it('a withdrawal from before was about the whole lines of its order, without digital content that had begun', async () => {
  const name = '20261124084902_withdrawal_lines'
  const { client, migrate, drop } = await oldDatabase('withdrawal_lines', ...before(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO checkouts (id, storefront_id, testmode, status, tax_behavior, redirect_url_success, redirect_url_canceled, billing_address, expires_at, created_at)
        SELECT 'checkout_' || n, 'storefront_1', true, 'created', 'exclusive', 'https://a.example', 'https://a.example', '{}', now(), now()
        FROM generate_series(1, 2) n;
      INSERT INTO checkout_lines (id, checkout_id, position, product_id, kind, name, description, unit_price, quantity, product_type)
        SELECT 'line_' || n || '_' || type, 'checkout_' || n, CASE type WHEN 'saas' THEN 0 ELSE 1 END, 'product_1', 'one_off_product', 'A', 'A', 100, n * CASE type WHEN 'saas' THEN 3 ELSE 1 END, type
        FROM generate_series(1, 2) n, unnest(ARRAY['ebook', 'saas']) type;
      INSERT INTO orders (id, storefront_id, testmode, checkout_id, status, currency, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, withdrawal, begins_at_once, created_at)
        SELECT 'order_' || n, 'storefront_1', true, 'checkout_' || n, 'created', 'EUR', 'exclusive', 200, 200, '[]', '{}', '{}', 'en', 'mixed', n = 1, now()
        FROM generate_series(1, 2) n;
      INSERT INTO order_withdrawals (order_id, storefront_id, testmode, source, sealed, declared_at)
        SELECT 'order_' || n, 'storefront_1', true, 'link', '', now() FROM generate_series(1, 2) n`)
    await migrate(name)
    await migrate('20261124131500_withdrawal_quantities')
    const { rows } = await client.query(
      'SELECT number, checkout_line_ids AS lines, quantities FROM order_withdrawals ORDER BY order_id',
    )
    expect(rows).toEqual([
      { number: 1, lines: ['line_1_saas'], quantities: [3] },
      { number: 1, lines: ['line_2_saas', 'line_2_ebook'], quantities: [6, 2] },
    ])
  } finally {
    await drop()
  }
})

it('orders of old say whose rate they have', async () => {
  const name = '20261124084923_currencies'
  const { client, migrate, drop } = await oldDatabase('currencies', ...before(name))
  try {
    await client.query(`
      INSERT INTO merchants (id, name, created_at) VALUES ('merchant_1', 'A', now());
      INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_1', 'merchant_1', 'A', now());
      INSERT INTO exchange_rates (currency, day, rate, fetched_at) VALUES
        ('USD', '2026-11-19', '1.09', now()), ('USD', '2026-11-20', '1.09', now()), ('USD', '2026-11-23', '1.09', now());
      INSERT INTO orders (id, storefront_id, testmode, status, currency, exchange_rate, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, created_at)
      SELECT 'order_' || n, 'storefront_1', testmode, 'created', currency, rate, 'exclusive', 100, 100, '[]', '{}', '{}', 'en', '2026-11-22T10:00:00Z' FROM (VALUES
        (1, true, 'EUR', NULL), (2, true, 'USD', '1.09'), (3, false, 'USD', '1.09'), (4, false, 'USD', '1.0850')) AS made (n, testmode, currency, rate)`)
    await migrate(name)
    const { rows } = await client.query(
      `SELECT exchange_rate_source AS source, to_char(exchange_rate_on, 'YYYY-MM-DD') AS day FROM orders ORDER BY id`,
    )
    expect(rows).toEqual([
      { source: null, day: null },
      { source: 'built_in', day: null },
      { source: 'ecb', day: '2026-11-20' },
      { source: 'built_in', day: null },
    ])
    for (const wrong of [`'bank', NULL`, `'ecb', NULL`, `'built_in', '2026-11-20'`, `NULL, NULL`])
      await expect(
        client.query(`UPDATE orders SET (exchange_rate_source, exchange_rate_on) = (${wrong}) WHERE id = 'order_2'`),
        wrong,
      ).rejects.toThrow('orders_exchange_rate_source')
  } finally {
    await drop()
  }
})
