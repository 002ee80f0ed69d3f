import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OldDatabase, oldDatabase } from '../../testing/old-database.ts'

/** A database from before subscriptions were renewed, and its state after the migration. */
let old: OldDatabase
let client: OldDatabase['client']

beforeAll(async () => {
  old = await oldDatabase('billhook_back_fill', '20261120110000_first_sale')
  client = old.client
  await client.query(`
    INSERT INTO merchants VALUES ('merchant_1', 'Lumen', now());
    INSERT INTO storefronts VALUES ('storefront_1', 'merchant_1', 'Lumen', now());
    INSERT INTO clocks (storefront_id, ahead_seconds) VALUES ('storefront_1', 3600);
    INSERT INTO customers (id, storefront_id, testmode, email, created_at) VALUES ('customer_1', 'storefront_1', true, 'ada@example.com', now());
    INSERT INTO checkouts (id, storefront_id, testmode, status, customer_id, tax_behavior, redirect_url_success, redirect_url_canceled, billing_address, expires_at, created_at)
      VALUES ('checkout_1', 'storefront_1', true, 'paid', 'customer_1', 'exclusive', 'https://a.example', 'https://a.example', '{}', now(), now());
    INSERT INTO checkout_lines (id, checkout_id, position, product_id, kind, name, description, unit_price, quantity, product_type)
      SELECT 'checkout_item_' || n, 'checkout_1', n, 'subscription_plan_1', 'subscription_plan', 'Pro', 'Pro', 1000, 3, 'saas' FROM generate_series(1, 2) n;
    INSERT INTO orders (id, storefront_id, testmode, checkout_id, customer_id, status, currency, tax_behavior, subtotal, total, tax_summary, customer_details, seller, locale, invoice_number, created_at, paid_at)
      VALUES ('order_1', 'storefront_1', true, 'checkout_1', 'customer_1', 'paid', 'EUR', 'exclusive', 3000, 3630, '[]', '{}', '{}', 'en', 'TEST-INV-2027-000001', now(), now());
    INSERT INTO subscriptions (id, storefront_id, testmode, customer_id, subscription_plan_id, checkout_line_id, name, description, billing_address, currency, price, tax_behavior,
      quantity, interval, interval_count, status, anchor_at, started_at, renewed_until, trial_until, locale, created_at)
      SELECT 'subscription_000000000000000000000' || n, 'storefront_1', true, 'customer_1', 'subscription_plan_1', 'checkout_item_' || n, 'Pro', 'Pro', '{}', 'EUR', 1000, 'exclusive',
        3, 'month', 1, CASE n WHEN 1 THEN 'active' ELSE 'trial' END, CASE n WHEN 1 THEN timestamptz '2027-01-31 10:00Z' ELSE '2027-02-14 10:00Z' END, '2027-01-31 10:00Z',
        CASE n WHEN 1 THEN timestamptz '2027-02-28 10:00Z' ELSE '2027-02-14 10:00Z' END, CASE n WHEN 2 THEN timestamptz '2027-02-14 10:00Z' END, 'en', now() FROM generate_series(1, 2) n;
  `)
  await old.migrate('20261120140000_subscriptions_for_life')
})
afterAll(() => old.drop())

it('a subscription that was sold before is in its first period, or in its trial', async () => {
  const { rows } = await client.query(
    'SELECT status, cycle, period_start, period_end, period_paid, period_seconds FROM subscriptions ORDER BY id',
  )
  expect(rows).toEqual([
    {
      status: 'active',
      cycle: 0,
      period_start: new Date('2027-01-31T10:00:00Z'),
      period_end: new Date('2027-02-28T10:00:00Z'),
      period_paid: '3000',
      period_seconds: String(28 * 86_400),
    },
    { status: 'trial', cycle: -1, period_start: null, period_end: null, period_paid: null, period_seconds: null },
  ])
  const periods = await client.query('SELECT subscription_id, order_id FROM subscription_periods')
  expect(periods.rows).toEqual([{ subscription_id: 'subscription_0000000000000000000001', order_id: 'order_1' }])
})

it('it has the timer that renews it, an hour earlier in real time where the clock is an hour ahead', async () => {
  const { rows } = await client.query('SELECT key, clock, data, due_at, ring_at FROM tasks ORDER BY key')
  const timer = (n: number, at: string, rings: string) => ({
    key: `subscription_000000000000000000000${n} ${at}`,
    clock: 'storefront',
    data: { subscriptionId: `subscription_000000000000000000000${n}`, endsAt: at },
    due_at: new Date(at),
    ring_at: new Date(rings),
  })
  expect(rows).toEqual([
    timer(1, '2027-02-28T10:00:00Z', '2027-02-28T09:00:00Z'),
    timer(2, '2027-02-14T10:00:00Z', '2027-02-14T09:00:00Z'),
  ])
})

it('a canceled one has its previous status again when it is resumed: active, in its trial, or paused', async () => {
  await old.migrate('20261120180000_money_back')
  await client.query(`
    INSERT INTO checkout_lines (id, checkout_id, position, product_id, kind, name, description, unit_price, quantity, product_type)
      SELECT 'checkout_item_' || n, 'checkout_1', n, 'subscription_plan_1', 'subscription_plan', 'Pro', 'Pro', 1000, 3, 'saas' FROM generate_series(3, 6) n;
    INSERT INTO subscriptions SELECT (jsonb_populate_record(s, to_jsonb(s) || jsonb_build_object('id', 'subscription_' || n, 'checkout_line_id', 'checkout_item_' || n,
      'status', 'on_grace_period', 'canceled_at', now(), 'trial_until', CASE n WHEN 4 THEN now() END))).* FROM subscriptions s, generate_series(3, 6) n WHERE s.id LIKE '%1';
    INSERT INTO events (id, storefront_id, testmode, name, entity_type, entity_id, cause, body, created_at)
      SELECT 'webhook_event_' || n || step, 'storefront_1', true, 'subscription.updated', 'subscription', 'subscription_' || n, 'webhook_event_' || n || step,
        jsonb_build_object('object', jsonb_build_object('status', status)), now()
      FROM (VALUES (3, 1, 'active'), (3, 2, 'paused'), (3, 3, 'active'), (3, 4, 'on_grace_period'), (4, 1, 'trial'), (4, 2, 'on_grace_period'),
        (5, 1, 'active'), (5, 2, 'paused'), (5, 3, 'on_grace_period')) reported (n, step, status);
  `)
  await old.migrate('20261122111000_resume_to_what_was')
  const { rows } = await client.query(
    'SELECT id, resumes_to FROM subscriptions WHERE resumes_to IS NOT NULL ORDER BY id',
  )
  expect(rows).toEqual([
    { id: 'subscription_3', resumes_to: 'active' },
    { id: 'subscription_4', resumes_to: 'trial' },
    { id: 'subscription_5', resumes_to: 'paused' },
    { id: 'subscription_6', resumes_to: 'active' },
  ])
})

it('a trial, and a year that is paid, have the tasks of the emails before their charges', async () => {
  const name = '20261122224000_customer_emails'
  const applied = [
    '20261120110000_first_sale',
    '20261120140000_subscriptions_for_life',
    '20261120180000_money_back',
    '20261122111000_resume_to_what_was',
  ]
  const between = readdirSync('prisma/migrations').filter((each) => each < name && !applied.includes(each))
  for (const each of between.sort()) await old.migrate(each)
  await client.query(`
    UPDATE subscriptions SET renewed_until = date_trunc('second', now()) + CASE status WHEN 'trial' THEN interval '5 days' ELSE interval '90 days' END,
      interval = CASE status WHEN 'trial' THEN 'month' ELSE 'year' END`)
  await old.migrate(name)
  const { rows } = await client.query(`
    SELECT t.data->>'kind' AS kind, t.key = s.id || ' ' || (t.data->>'endsAt') || CASE WHEN s.status = 'trial' THEN ' 1' ELSE ' 30' END AS is_keyed,
      s.renewed_until - t.due_at AS before, t.due_at - t.run_at AS ahead, t.clock
    FROM tasks t JOIN subscriptions s ON s.id = t.data->>'subscriptionId' WHERE t.name = 'subscription.charge_notice' ORDER BY kind`)
  const task = (kind: string, days: number) => ({
    kind,
    is_keyed: true,
    before: expect.objectContaining({ days }),
    ahead: expect.objectContaining({ hours: 1 }),
    clock: 'storefront',
  })
  expect(rows).toEqual([task('renewal_notice', 30), task('trial_ending', 1)])
})
