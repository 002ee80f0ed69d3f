import { beforeAll, describe, expect, test } from 'vitest'
import { copies, copyRows, manyRowsRead } from '@/lib/testing/copied-rows.ts'
import * as factories from '@/lib/testing/factories.ts'
import { lastingConnection } from '@/lib/testing/lasting-connection.ts'
import { type RecordedQuery, recordedQueries } from '@/lib/testing/recorded-queries.ts'
import { drainTasks, get, ordersOf, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { raise } from '@/lib/workflows/chargeback/operations.ts'
import { createFull } from '@/lib/workflows/refund/operations.ts'

/**
 * These tests check that a page reads as few rows in a large storefront as in a small one, for every combination of
 * filters.
 */

const mostRead = 100

const run = lastingConnection('-c session_replication_role=replica')

const differing = {
  customers: { email: `n || '@example.com'` },
  checkouts: { customer_id: `'customer_' || n` },
  orders: {
    checkout_id: 'NULL::text',
    invoice_number: `'N-' || n`,
    verifying_subscription_id: 'NULL::text',
    customer_id: `'customer_' || n`,
    subscription_id: `'subscription_' || n`,
  },
  subscriptions: {
    checkout_line_id: `'line_' || n`,
    customer_id: `'customer_' || n`,
  },
  events: { entity_id: `'entity_' || n` },
  refunds: { order_id: `'order_' || n`, credit_note_id: 'NULL::text', customer_id: `'customer_' || n` },
  chargebacks: {
    order_id: `'order_' || n`,
    provider_ref: `'ref_' || n`,
    credit_note_id: 'NULL::text',
    customer_id: `'customer_' || n`,
  },
}

type Values = Readonly<Record<string, readonly string[]>>

/** Returns one query string per combination of filter values. A combination can omit a filter. */
const combinations = (filters: Values): string[] =>
  Object.entries(filters)
    .reduce<string[][]>(
      (all, [name, values]) => all.flatMap((one) => [one, ...values.map((value) => [...one, `${name}=${value}`])]),
      [[]],
    )
    .map((each) => each.join('&'))

const asked: Record<string, RecordedQuery[]> = {}

beforeAll(async () => {
  const scenario = await subscriptionScenario()
  const { key, customerId, planId } = scenario
  const unsold = await factories.aPlan(key)
  await factories.pay(key, await factories.aCheckout(key, planId))
  await drainTasks()
  const [order, other] = await ordersOf(scenario)
  await raise(order.id, { amount: '1.00', reason: 'fraud' })
  await createFull({ storefrontId: scenario.shop.storefrontId, testmode: true }, other.id, { metadata: null })
  await drainTasks()
  const times = { createdAfter: ['2000-01-01'], createdBefore: ['2100-01-01'] }
  const filters: Record<string, Values> = {
    orders: { customerId: [customerId], subscriptionId: [scenario.id], status: ['paid', 'canceled'], ...times },
    subscriptions: { customerId: [customerId], subscriptionPlanId: [planId, unsold.id], status: ['active', 'paused'] },
    checkouts: { customerId: [customerId], status: ['paid', 'expired'] },
    refunds: { customerId: [customerId], status: ['pending', 'failed'] },
    chargebacks: { customerId: [customerId], status: ['pending', 'won'] },
    'webhook-events': { eventName: ['order.paid', 'refund.failed'], entityId: [order.id], ...times },
    customers: { email: ['ada@example.com'] },
  }
  for (const [list, values] of Object.entries(filters))
    for (const query of combinations(values)) {
      const path = `/v1/${list}?${query}`
      asked[path] = await recordedQueries(() => get(key, path))
      const { data } = await get(key, path)
      const cursor = data.at(-1)?.id
      if (cursor) {
        const next = `${path}&startingAfter=${cursor}`
        asked[next] = await recordedQueries(() => get(key, next))
      }
    }
  await copyRows(run, scenario.shop.storefrontId, differing)
}, 300_000)

describe.each([
  ['for the given values', 'force_custom_plan'],
  ['for any values', 'force_generic_plan'],
])('a query plan %s reads few rows for one page of an API list', (_, mode) => {
  beforeAll(() => run({ text: `SET plan_cache_mode = ${mode}` }))

  test('a page of an API list in a large storefront reads at most 100 rows with any combination of filters', async () => {
    const { explained, wrong } = await manyRowsRead(run, asked, { tables: Object.keys(differing), mostRead })
    expect(explained).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })
})

test('the test data has enough rows to detect a query plan that scans a table', async () => {
  const [row] = await run<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM orders' })
  expect(row?.count).toBeGreaterThan(copies)
})
