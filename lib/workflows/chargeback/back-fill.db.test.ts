import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ledger } from '../../modules/invariants/queries/ledger.ts'
import { type OldDatabase, oldDatabase } from '../../testing/old-database.ts'

/**
 * A database from before disputes were allocated, when the merchant was charged all that the provider took, and its
 * state after the migration.
 */
let old: OldDatabase
let client: OldDatabase['client']

beforeAll(async () => {
  old = await oldDatabase(
    'billhook_disputes',
    '20261120110000_first_sale',
    '20261120140000_subscriptions_for_life',
    '20261120180000_money_back',
  )
  client = old.client
  // Each order is over 121.00, half of it disputed after a refund; the fourth was under review over 5,000.00 and
  // accepted, the sixth is under review.
  await client.query(`
    INSERT INTO merchants VALUES ('merchant_1', 'Lumen', now());
    INSERT INTO storefronts SELECT 'storefront_' || n, 'merchant_1', 'Lumen', now() FROM generate_series(1, 2) n;
    INSERT INTO clocks (storefront_id, ahead_seconds) SELECT 'storefront_' || n, n * 86400 FROM generate_series(1, 2) n;
    INSERT INTO customers (id, storefront_id, testmode, email, created_at)
      SELECT 'customer_' || n, 'storefront_' || n, true, 'ada@example.com', now() FROM generate_series(1, 2) n;
    CREATE TEMP TABLE disputes AS SELECT *, CASE n WHEN 7 THEN 2 ELSE 1 END AS storefront FROM (VALUES
      (1, 'pending', 12100, 4840, 4000), (2, 'evidence_submitted', 12100, 0, 0), (3, 'lost', 12100, 4840, 4000), (4, 'accepted', 500000, 12100, 10000),
      (5, 'won', 12100, 4840, 4000), (6, 'requires_amount_review', 500000, 0, 0), (7, 'lost', 12100, 12100, 10000)) given (n, status, amount, total, subtotal);
    INSERT INTO orders (id, storefront_id, testmode, customer_id, status, currency, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, invoice_scope, invoice_number, created_at, paid_at, credited_order_id)
      SELECT kind || n, 'storefront_' || storefront, true, 'customer_' || storefront, 'paid', 'EUR', 'exclusive', CASE kind WHEN 'order_' THEN 10000 ELSE subtotal END,
        CASE kind WHEN 'order_' THEN 12100 ELSE total END, '[]', '{}', '{}', 'en', kind || n, 'TEST-INV-2026-000001', now(), now(), CASE kind WHEN 'note_' THEN 'order_' || n END
      FROM disputes, (VALUES ('order_'), ('note_')) kinds (kind) WHERE kind = 'order_' OR status IN ('lost', 'accepted') ORDER BY kind DESC;
    INSERT INTO chargebacks (id, storefront_id, testmode, order_id, customer_id, provider_ref, status, reason, currency, amount, settlement_amount, subtotal, total, tax_summary, credit_note_id, created_at, finished_at)
      SELECT 'chargeback_' || n || '000000000000000000000', 'storefront_' || storefront, true, 'order_' || n, 'customer_' || storefront, 'ref_' || n, status, 'fraud', 'EUR', amount, amount + 1500, subtotal, total, '[]',
        CASE WHEN status IN ('lost', 'accepted') THEN 'note_' || n END, now(), CASE WHEN status IN ('lost', 'accepted', 'won') THEN now() END FROM disputes;
    INSERT INTO ledger_entries (id, transaction_id, storefront_id, testmode, order_id, subject_id, cause, account, currency, amount, created_at)
      SELECT concat_ws(' ', 'entry', n, cause, account), concat_ws(' ', 'ledger', n, cause), 'storefront_' || storefront, true, 'order_' || n,
        CASE WHEN cause = 'order.paid' THEN 'order_' || n ELSE 'chargeback_' || n || '000000000000000000000' END, cause, account, 'EUR', moved, now()
      FROM disputes, LATERAL (VALUES
        (true, 'order.paid', 'provider_clearing', 12100), (true, 'order.paid', 'tax_payable', -2100), (true, 'order.paid', 'platform_fee', -550), (true, 'order.paid', 'merchant_balance', -9450),
        (n NOT IN (4, 6), 'chargeback.received', 'merchant_balance', amount + 1500), (n NOT IN (4, 6), 'chargeback.received', 'chargebacks', -amount), (n NOT IN (4, 6), 'chargeback.received', 'provider_fees', -1500),
        (status = 'lost', 'chargeback.lost', 'chargebacks', amount), (status = 'lost', 'chargeback.lost', 'provider_clearing', -amount),
        (status = 'lost', 'chargeback.lost', 'tax_payable', total - subtotal), (status = 'lost', 'chargeback.lost', 'merchant_balance', subtotal - total),
        (n = 4, 'chargeback.accepted', 'provider_clearing', -amount), (n = 4, 'chargeback.accepted', 'provider_fees', -1500), (n = 4, 'chargeback.accepted', 'merchant_balance', amount + 1500 - 2100), (n = 4, 'chargeback.accepted', 'tax_payable', 2100),
        (status = 'won', 'chargeback.won', 'chargebacks', amount), (status = 'won', 'chargeback.won', 'merchant_balance', -amount)) entry (is_booked, cause, account, moved) WHERE is_booked;
    INSERT INTO ledger_accounts (storefront_id, testmode, currency, account, amount, awaited)
      SELECT storefront_id, testmode, currency, account, sum(amount), account = 'merchant_balance' FROM ledger_entries GROUP BY 1, 2, 3, 4;
  `)
  await old.migrate('20261122110000_disputes_charge_what_counts')
  // Later columns and tables that the invariants read; nobody was paid out.
  await client.query('ALTER TABLE orders ADD replaces_order_id text, ADD replaced_by_id text')
  await client.query('ALTER TABLE payments ADD return_ref text, ADD return_fee bigint')
  const later = readFileSync('prisma/migrations/20261124101402_payouts/migration.sql', 'utf8')
  await client.query((later.match(/CREATE TABLE[^;]+;/g) ?? []).join('\n'))
})
afterAll(() => old.drop())

it('keeps the provider’s fee for a dispute', async () => {
  const { rows } = await client.query('SELECT DISTINCT provider_fee FROM chargebacks')
  expect(rows).toEqual([{ provider_fee: '1500' }])
})

it('returns the charge beyond the allocated amount, by separate entries', async () => {
  const { rows } = await client.query(`
    SELECT substr(subject_id, 12, 1) AS n, account, amount, created_at > now() + interval '23 hours' AS is_by_its_clock FROM ledger_entries
    WHERE cause = 'chargeback.corrected' ORDER BY subject_id, account DESC`)
  const row = (n: string, account: string, amount: string) => ({ n, account, amount, is_by_its_clock: true })
  expect(rows).toEqual([
    row('1', 'merchant_balance', '-7260'),
    row('1', 'chargebacks', '7260'),
    row('2', 'merchant_balance', '-12100'),
    row('2', 'chargebacks', '12100'),
    row('3', 'provider_clearing', '7260'),
    row('3', 'merchant_balance', '-7260'),
    row('4', 'provider_clearing', '487900'),
    row('4', 'merchant_balance', '-487900'),
  ])
})

it.each(Object.entries(ledger.I13))('%s', async (_, query) => {
  expect((await client.query(query)).rows).toEqual([])
})

it('refunds that wait for the balance are processed where it has grown', async () => {
  const { rows } = await client.query('SELECT name, key, storefront_id, clock, data FROM tasks')
  expect(rows).toEqual([
    {
      name: 'ledger.balance_grew',
      key: 'storefront_1 test EUR',
      storefront_id: 'storefront_1',
      clock: 'storefront',
      data: { currency: 'EUR' },
    },
  ])
})
