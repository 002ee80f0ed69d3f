import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../../testing/old-database.ts'

/** A database from before payment methods were verified at the provider, and its state after the migration. */
const name = '20261122112000_verified_methods'
let old: OldDatabase

beforeAll(async () => {
  const folders = readdirSync('prisma/migrations', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const before = folders.map((entry) => entry.name).filter((each) => each < name)
  old = await oldDatabase('billhook_verified_methods', ...before.sort())
  await old.client.query(`
    INSERT INTO merchants VALUES ('merchant_1', 'Lumen', now());
    INSERT INTO storefronts VALUES ('storefront_1', 'merchant_1', 'Lumen', now());
    INSERT INTO customers (id, storefront_id, testmode, email, created_at) VALUES ('customer_1', 'storefront_1', true, 'ada@example.com', now());
    INSERT INTO mandates (id, storefront_id, testmode, customer_id, method, masked_identifier, status, created_at)
      VALUES ('mandate_1', 'storefront_1', true, 'customer_1', 'card', '4242', 'valid', now());
    INSERT INTO sandbox_payments (ref, idempotency_key, storefront_id, method, amount, currency, makes_mandate, mandate_ref, status, created_at)
      VALUES ('sandbox_1', 'payment_1', 'storefront_1', 'directdebit', 1000, 'EUR', false, 'mandate_1', 'pending', now());
    INSERT INTO orders (id, storefront_id, testmode, customer_id, status, currency, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, created_at, paid_at)
      SELECT 'order_' || n, 'storefront_1', true, 'customer_1', 'paid', 'EUR', 'exclusive', 0, 0, '[]', '{}', '{}', 'en', now(), now() FROM generate_series(1, 100) n;
  `)
  await old.migrate(name)
})
afterAll(() => old.drop())

it('a mandate keeps its reference at the test provider', async () => {
  const { rows } = await old.client.query(
    'SELECT m.provider_ref, s.returns FROM mandates m JOIN sandbox_payments s ON s.mandate_ref = m.provider_ref',
  )
  expect(rows).toEqual([{ provider_ref: 'mandate_1', returns: false }])
})

it('verifications that were made before have their outcome: none is open', async () => {
  const { rows } = await old.client.query(
    'SELECT count(*)::int AS orders, count(verifying_subscription_id)::int AS open FROM orders',
  )
  expect(rows).toEqual([{ orders: 100, open: 0 }])
})
