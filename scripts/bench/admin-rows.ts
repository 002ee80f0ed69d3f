import type pg from 'pg'
import { firstIdAt } from '../../lib/kernel/ids.ts'

/** This file writes rows with SQL, because creating these rows over the API would take hours. */

/** The names of customers. Earlier names are more frequent. */
const firstNames = 'Anna Peter Maria Jan Hans Claire Zofia Bruno Giulia Sanne Ottilie Xaver Ygritte Wynne'
const lastNames =
  'Hoffmann Bergström Anderson Martin Silva Kowalski Rossi Janssen Weber Lindberg Dubois Novak Quintero Querfurt Zwicker'
const companies = 'GmbH B.V. S.A. Ltd'

const pick = (names: string, seed: string): string => {
  const list = names.split(' ')
  return `(ARRAY[${list.map((name) => `'${name}'`).join(', ')}])[1 + floor(${list.length} * power(${seed}, 2))::int]`
}

/** Adds customers that are newer than all other customers. Also gives various company names to all test subscriptions of the storefront. */
export async function addCustomers(client: pg.Client, storefrontId: string, count: number): Promise<void> {
  await client.query('SELECT setseed(0.5)')
  await client.query(
    `INSERT INTO customers (id, storefront_id, testmode, email, name, created_at)
     SELECT 'customer_zz' || lpad(n::text, 20, '0'), $1, true, lower(first) || '.' || n || '@' || lower(left(last, 4)) || '.example.com',
       first || ' ' || last, now()
     FROM (SELECT n, ${pick(firstNames, 'random()')} AS first, ${pick(lastNames, 'random()')} AS last FROM generate_series(1, $2::int) n) named`,
    [storefrontId, count],
  )
  await client.query(
    `UPDATE subscriptions SET billing_address = billing_address || jsonb_build_object('companyName', ${pick(lastNames, 'random()')} || ' ' || ${pick(companies, 'random()')})
     WHERE storefront_id = $1 AND testmode`,
    [storefrontId],
  )
  await client.query('VACUUM ANALYZE customers')
  await client.query('VACUUM ANALYZE subscriptions')
}

/** Adds ledger entries for the orders that the benchmark copied, without running triggers. The id of each entry encodes the payment time of its order. */
export async function addEntries(client: pg.Client, storefrontId: string): Promise<void> {
  const { rows } = await client.query<{ paid_at: Date }>(
    "SELECT DISTINCT paid_at FROM orders WHERE storefront_id = $1 AND testmode AND id LIKE 'order_0000000%' AND paid_at IS NOT NULL",
    [storefrontId],
  )
  await client.query('SET session_replication_role = replica')
  for (const { paid_at } of rows)
    await client.query(
      `INSERT INTO ledger_entries (id, transaction_id, storefront_id, testmode, order_id, subject_id, cause, account, currency, amount, created_at)
       SELECT left($1, -10) || lpad((row_number() OVER (ORDER BY o.id, account))::text, 10, '0'), 'transaction_' || o.id, $2, true, o.id, o.id,
         'order.paid', account, o.currency, amount, o.paid_at
       FROM orders o, LATERAL (VALUES ('provider_clearing', o.total), ('tax_payable', o.subtotal - o.total),
         ('merchant_balance', -o.subtotal)) entry (account, amount)
       WHERE o.storefront_id = $2 AND o.testmode AND o.id LIKE 'order_0000000%' AND o.paid_at = $3`,
      [firstIdAt('entry_', paid_at), storefrontId, paid_at],
    )
  await client.query('SET session_replication_role = origin')
  await client.query('VACUUM ANALYZE ledger_entries')
}

export const figureDays = 400
const figureCurrencies = ['EUR', 'USD', 'GBP', 'PLN']

/** Adds daily figures of 400 days in four currencies. In normal operation, a nightly job derives these figures from the sales. */
export async function addFigures(client: pg.Client, storefrontId: string, planId: string): Promise<void> {
  const clock = `(SELECT coalesce(frozen_at, now() + ahead_seconds * interval '1 second') AT TIME ZONE 'UTC' FROM clocks WHERE storefront_id = $1)::date`
  const object = (key: string, value: string, count: number) =>
    `(SELECT jsonb_object_agg(${key}, ${value}) FROM generate_series(1, ${count}) k)`
  await client.query(
    `INSERT INTO daily_figures (storefront_id, testmode, currency, day, sales, refunds, disputes, orders, opening_mrr, new_mrr,
       expansion_mrr, contraction_mrr, churn_mrr, reactivation_mrr, closing_mrr, opening_subscribers, new_subscribers,
       churned_subscribers, reactivated_subscribers, closing_subscribers, plans, countries, cancellations)
     SELECT $1, true, currency, ${clock} - n, 500000 + n, -20000, -1000, 70, 4000000, 50000, 9000, 4000, 55000, 0, 4000000, 20000, 40,
       40, 0, 20000, ${object(`CASE k WHEN 1 THEN $2 ELSE 'subscription_plan_' || lpad(k::text, 22, '0') END`, `(400000 - k)::text`, 10)},
       ${object(`chr(64 + k) || 'E'`, `(20000 + n + k)::text`, 20)},
       '{"too_expensive": 9, "missing_features": 7, "unused": 6, "other": 18}'
     FROM unnest($3::text[]) currency, generate_series(1, ${figureDays}) n ON CONFLICT DO NOTHING`,
    [storefrontId, planId, figureCurrencies],
  )
  await client.query(
    `INSERT INTO closed_figures (storefront_id, testmode, day, closed_at) VALUES ($1, true, ${clock} - 1, now())
     ON CONFLICT (storefront_id, testmode) DO UPDATE SET day = ${clock} - 1`,
    [storefrontId],
  )
  await client.query('VACUUM ANALYZE daily_figures')
}
