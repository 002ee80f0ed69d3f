import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../../testing/old-database.ts'

/** A database from before anything but sales was posted, and the ledger after the migration. */
let old: OldDatabase
let client: OldDatabase['client']

const entriesBefore = `
  SELECT id, transaction_id, storefront_id, testmode, order_id, cause, account, currency, amount, created_at FROM ledger_entries ORDER BY id`
let before: unknown[]

beforeAll(async () => {
  old = await oldDatabase('billhook_books', '20261120110000_first_sale', '20261120140000_subscriptions_for_life')
  client = old.client
  // Two storefronts, both modes, both currencies: each order of 100.00 and a tenth, a trial that cost nothing, and a
  // pending one.
  await client.query(`
    INSERT INTO merchants VALUES ('merchant_1', 'Lumen', now());
    INSERT INTO storefronts SELECT 'storefront_' || n, 'merchant_1', 'Lumen', now() FROM generate_series(1, 2) n;
    INSERT INTO customers (id, storefront_id, testmode, email, created_at)
      SELECT 'customer_' || n || t, 'storefront_' || n, t = 1, 'ada@example.com', now() FROM generate_series(1, 2) n, generate_series(0, 1) t;
    INSERT INTO orders (id, storefront_id, testmode, customer_id, status, currency, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, invoice_scope, invoice_number, created_at, paid_at)
      SELECT 'order_' || n, 'storefront_' || storefront, testmode, 'customer_' || storefront || testmode::int, CASE WHEN n = 7 THEN 'pending' ELSE 'paid' END, currency, 'exclusive', net, net * 11 / 10, '[]', '{}', '{}', 'en',
        CASE WHEN n < 6 THEN 'scope_' || n END, CASE WHEN n < 6 THEN 'INV-2026-000001' END, now(), CASE WHEN n <> 7 THEN now() END
      FROM (VALUES (1, 1, true, 'EUR', 10000), (2, 1, true, 'EUR', 10000), (3, 1, true, 'USD', 10000), (4, 1, false, 'EUR', 10000), (5, 2, true, 'EUR', 10000),
        (6, 1, true, 'EUR', 0), (7, 1, true, 'EUR', 10000)) sold (n, storefront, testmode, currency, net);
    INSERT INTO ledger_entries (id, transaction_id, storefront_id, testmode, order_id, cause, account, currency, amount, created_at)
      SELECT 'entry_' || o.id || account, 'ledger_' || o.id, storefront_id, testmode, o.id, 'order.paid', account, currency, amount, '2026-11-20T12:00:00Z'
      FROM orders o, (VALUES ('provider_clearing', 11000), ('tax_payable', -1000), ('platform_fee', -550), ('merchant_balance', -9450)) entry (account, amount)
      WHERE status = 'paid' AND total > 0;
  `)
  before = (await client.query(entriesBefore)).rows
  await old.migrate('20261120180000_money_back')
})
afterAll(() => old.drop())

it('existing entries are unchanged, and refer to the order that was paid', async () => {
  expect((await client.query(entriesBefore)).rows).toEqual(before)
  expect(before).toHaveLength(20)
  const { rows } = await client.query('SELECT DISTINCT subject_id, order_id FROM ledger_entries ORDER BY 1')
  expect(rows).toEqual(
    ['order_1', 'order_2', 'order_3', 'order_4', 'order_5'].map((id) => ({ subject_id: id, order_id: id })),
  )
})

it('each account of a storefront, mode and currency begins with the sum of its entries', async () => {
  const { rows } = await client.query(
    'SELECT * FROM ledger_accounts ORDER BY storefront_id, testmode, currency, account',
  )
  const books = (storefront: number, testmode: boolean, currency: string, sales = 1) =>
    Object.entries({ merchant_balance: -9450, platform_fee: -550, provider_clearing: 11_000, tax_payable: -1000 }).map(
      ([account, amount]) => ({
        storefront_id: `storefront_${storefront}`,
        testmode,
        currency,
        account,
        amount: String(amount * sales),
        awaited: false,
      }),
    )
  expect(rows).toEqual([
    ...books(1, false, 'EUR'),
    ...books(1, true, 'EUR', 2),
    ...books(1, true, 'USD'),
    ...books(2, true, 'EUR'),
  ])
})

it('no order has a reversal yet, and all earlier conditions of orders still hold', async () => {
  const { rows } = await client.query(
    'SELECT DISTINCT reversed_subtotal, refunding_subtotal, credited_order_id, corrected_at FROM orders',
  )
  expect(rows).toEqual([
    { reversed_subtotal: '0', refunding_subtotal: '0', credited_order_id: null, corrected_at: null },
  ])
  const unchecked = `SELECT conname FROM pg_constraint WHERE NOT convalidated`
  expect((await client.query(unchecked)).rows).toEqual([])
})

it('from now on the ledger is append-only, balanced, and posts once', async () => {
  const { rows } = await client.query(
    `SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = 'ledger_entries'::regclass AND NOT tgisinternal ORDER BY 1`,
  )
  expect(rows).toEqual([
    { tgname: 'ledger_balances', tgenabled: 'O' },
    { tgname: 'ledger_is_append_only', tgenabled: 'O' },
  ])
  for (const change of [
    'UPDATE ledger_entries SET amount = 0',
    'UPDATE ledger_entries SET subject_id = order_id',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
  ])
    await expect(client.query(change)).rejects.toThrow('append-only')
  const copy = (id: string, subject: string, amount: string) => `
    INSERT INTO ledger_entries (id, transaction_id, storefront_id, testmode, order_id, subject_id, cause, account, currency, amount, created_at)
    SELECT '${id}' || account, '${id}', storefront_id, testmode, order_id, ${subject}, cause, account, currency, ${amount}, now()
    FROM ledger_entries WHERE order_id = 'order_1'`
  await expect(client.query(copy('uneven', `'order_6'`, 'abs(amount)'))).rejects.toThrow('does not sum to zero')
  await expect(client.query(copy('again', 'subject_id', 'amount'))).rejects.toThrow(
    'ledger_entries_subject_id_cause_account_key',
  )
  await expect(client.query(copy('of nothing', 'NULL', 'amount'))).rejects.toThrow('not-null')
  expect((await client.query(copy('even', `'refund_1'`, '-amount'))).rowCount).toBe(4)
})
