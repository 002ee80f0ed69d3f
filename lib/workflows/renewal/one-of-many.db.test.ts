import { beforeAll, expect, it } from 'vitest'
import { unusedMandates } from '../../modules/payments/store.ts'
import { lockSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { runBatch } from '../../platform/jobs/run-task.ts'
import { claimDueTasks } from '../../platform/jobs/worker.ts'
import { jobs } from '../../server/jobs.ts'
import { copySale, jumpClock } from '../../testing/bulk.ts'
import { lastingConnection } from '../../testing/lasting-connection.ts'
import { asIfManyStorefronts } from '../../testing/many-storefronts.ts'
import { type RecordedQuery, recordedQueries, scansOf } from '../../testing/recorded-queries.ts'
import { drainTasks, get, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'

/**
 * In these tests, one storefront has most of the rows. PostgreSQL plans a prepared query for an average storefront, and
 * the plan must not read all rows of the large storefront.
 */

const many = 3_000
const batch = 16
const mostRead = 200

const run = lastingConnection('-c plan_cache_mode=force_generic_plan')
const byName = new Map(jobs.map((job) => [job.name, job]))
let scenario: Scenario

beforeAll(async () => {
  scenario = await subscriptionScenario()
  await drainTasks()
  await copySale(scenario, many)
  await db().$executeRaw`
    INSERT INTO customers SELECT copy.* FROM customers own, generate_series(1, ${many}) n,
      LATERAL jsonb_populate_record(own, jsonb_build_object('id', 'customer_' || lpad(n::text, 22, '0'), 'email', n || '@example.com')) copy`
  await db().$executeRaw`
    INSERT INTO mandates SELECT copy.* FROM mandates own, generate_series(1, ${many}) n,
      LATERAL jsonb_populate_record(own, jsonb_build_object('id', 'mandate_' || lpad(n::text, 22, '0'))) copy`
  await db().$executeRaw`
    UPDATE subscriptions SET mandate_id = 'mandate_' || lpad(n::text, 22, '0')
    FROM (SELECT id, row_number() OVER () AS n FROM subscriptions) numbered WHERE numbered.id = subscriptions.id`
  await asIfManyStorefronts(run)
}, 120_000)

const asked: Record<string, () => Promise<unknown>> = {
  'a batch of renewals with its charges': async () => {
    await jumpClock(scenario, 32 * 86_400)
    for (let n = 0; n < 2; n++) await runBatch(byName, await claimDueTasks('work', batch, 90_000))
  },
  'a list of orders': () => get(scenario.key, '/v1/orders?limit=10'),
  'a list of subscriptions': () => get(scenario.key, '/v1/subscriptions?limit=10'),
  'a list of customers': () => get(scenario.key, '/v1/customers?limit=10'),
  'a customer': () => get(scenario.key, `/v1/customers/${scenario.customerId}`),
  'a subscription': () => get(scenario.key, `/v1/subscriptions/${scenario.id}`),
  'the subscriptions of a mandate': () =>
    db().$transaction((sql) => lockSubscriptionsOf(sql, scenario.shop.scope, 'none')),
  'the check for unused mandates': () =>
    unusedMandates(db(), ['sandbox', 'test', 'simulated'], { mandateId: `mandate_${'1'.padStart(22, '0')}` }),
}

it.each(Object.entries(asked))(
  'the queries of %s read as few rows in a large storefront as in a small storefront',
  async (_, ask) => {
    const wrong: string[] = []
    const queries = (await recordedQueries(ask)).filter(changesNothing)
    expect(queries.length).toBeGreaterThan(0)
    for (const query of queries)
      for (const { table, rows, isWhole } of await scansOf(run, query))
        if (rows > mostRead || (isWhole && large.has(table))) wrong.push(`${rows} rows of ${table} for ${query.text}`)
    expect(wrong).toEqual([])
  },
)

const large = new Set(['customers', 'orders', 'order_lines', 'payments', 'subscriptions', 'events', 'tasks'])

/** The test runs each query again with EXPLAIN, so it skips queries that change rows or lock rows (`FOR NO KEY UPDATE`). */
const changesNothing = ({ text }: RecordedQuery): boolean => !/\b(?:INSERT|UPDATE|DELETE)\b/.test(text)
