import pg from 'pg'
import { invariants } from '../../lib/modules/invariants/queries/index.ts'
import { besideCommits } from './commits.ts'
import type { Bench } from './context.ts'
import { deliveriesPerSecond } from './deliveries.ts'
import { compare, type RateComparison } from './figures.ts'
import { type Filtered, type FilterFigures, filterTable, measureFilters } from './filters.ts'
import { grow, ordersOfEach } from './grow.ts'
import { measurePairs, type Target } from './pairs.ts'
import { renewalsPerSecond } from './renewals.ts'
import type { Route } from './routes.ts'
import { type Api, apiOf } from './shop.ts'
import { startReceiver } from './webhooks.ts'
import { measureYear, newStorefront } from './year.ts'

/** This file measures the same work in a small and in a large database. */

export interface Scale {
  readonly from: number
  readonly to: number
  readonly others: number
  readonly growSeconds: number
  /** Seconds of all invariant checks, in the small and in the large database. */
  readonly check: { readonly before: number; readonly after: number }
  /** Tasks of the worker, each compared with single-row commits. */
  readonly tasks: readonly { readonly name: string; readonly before: RateComparison; readonly after: RateComparison }[]
  readonly filters: readonly FilterFigures[]
  readonly routes: readonly {
    readonly name: string
    /** The rate of the route divided by the baseline rate, in the small database. `after` is the ratio in the large database. */
    readonly before: number
    readonly after: number
    readonly p50: number
    /** 8 kB pages that the database reads per request. This number does not depend on the machine or its load. */
    readonly pagesBefore: number
    readonly pagesAfter: number
  }[]
}

export interface ScaleSettings {
  readonly orders: number
  readonly due: number
  readonly burst: number
  readonly year: number
  readonly seconds: number
  readonly rounds: number
}

export const databaseForScale = {
  shared_preload_libraries: 'pg_stat_statements',
  max_wal_size: '16GB',
  // Allows the copy to skip the write-ahead log.
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** No other measurement uses this range of numbers. */
const firstCopy = 500_000_000
const ordersOfOthers = 10

/**
 * Finds a sold subscription, which is the template for copies. The returned function `add` adds copies of this
 * subscription.
 */
export async function openGrowing({ installation }: Bench) {
  const client = new pg.Client({ connectionString: installation.databaseUrl, options: '-c timezone=UTC' })
  await client.connect()
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const { rows } = await client.query(
    `SELECT subscription_id AS id, o.storefront_id AS "storefrontId", merchant_id AS "merchantId"
     FROM orders o JOIN storefronts s ON s.id = o.storefront_id
     WHERE subscription_id IS NOT NULL AND status = 'paid' AND invoice_number IS NOT NULL ORDER BY o.id DESC LIMIT 1`,
  )
  const [template] = rows
  const add = (count: number, first: number, storefrontOf: (subscription: number) => string) =>
    grow(installation.databaseUrl, template.id, { storefrontOf, first: firstCopy + first, count })
  return { client, template, add }
}

export async function measureFiltersAtScale(bench: Bench, { orders, seconds, rounds }: ScaleSettings) {
  const { client, template, add } = await openGrowing(bench)
  bench.say(`Adding ${orders} orders`)
  await add(orders / ordersOfEach, 0, () => template.storefrontId)
  const figures = await measureFiltersOf(bench, client, { orders, seconds, rounds })
  await client.end()
  return figures
}

const measureFiltersOf = async (
  bench: Bench,
  client: pg.Client,
  { orders, seconds, rounds }: Pick<ScaleSettings, 'orders' | 'seconds' | 'rounds'>,
): Promise<FilterFigures[]> =>
  measureFilters(
    bench,
    await filteredOf(bench, orders),
    { warmUpSeconds: seconds, roundSeconds: seconds, rounds },
    (route) => pagesOf(client, bench.installation.baseUrl, route),
  )

export async function measureScale(bench: Bench, baseline: Target, sizes: ScaleSettings): Promise<Scale> {
  const { installation, api, shop, loader, connections, say } = bench
  const { baseUrl } = installation
  const { orders, seconds, rounds } = sizes
  const { client, template, add } = await openGrowing(bench)
  const small = await newStorefront(installation, 'Ten')
  const { eventId } = await (await startReceiver(bench))()
  const measure = async (large: number) => {
    const routes = routesOf(api, apiOf(baseUrl, small.testKey), shop.checkoutBody, large)
    const figures = new Map<string, RouteFigures>()
    for (const [name, route] of Object.entries(routes)) {
      say(`Measuring ${name}`)
      const target = { origin: baseUrl, connections, ...route }
      const pairs = await measurePairs(loader, target, baseline, {
        warmUpSeconds: seconds,
        roundSeconds: seconds,
        rounds,
      })
      figures.set(name, { ...compare(pairs), pages: await pagesOf(client, baseUrl, route) })
    }
    return figures
  }

  const from = Math.min(10_000, orders / 10)
  const others = Math.round(orders / 100)
  const ofOthers = ordersOfOthers / ordersOfEach
  say(`Adding ${from} orders`)
  await add(ofOthers, 0, () => small.storefrontId)
  await add(from / ordersOfEach, ofOthers, () => template.storefrontId)
  const before = await measure(from)
  const workedBefore = await measureTasks(bench, eventId, 1, sizes)
  const checkedBefore = await checkSeconds(client)
  say(`Adding orders up to ${orders}, and ${others} storefronts with ${ordersOfOthers} each`)
  const began = performance.now()
  const first = ofOthers + from / ordersOfEach
  await addStorefronts(client, template.merchantId, others)
  const more = (orders - from) / ordersOfEach
  // All copies are added in one call, so that the indexes of the large tables are built only one time.
  await add(more + others * ofOthers, first, (n) => {
    const other = n - firstCopy - first - more
    return other < 0 ? template.storefrontId : `storefront_${digits(other / ofOthers)}`
  })
  const growSeconds = (performance.now() - began) / 1000
  const after = await measure(orders)
  const filters = await measureFiltersOf(bench, client, sizes)
  const workedAfter = await measureTasks(bench, eventId, 2, sizes)
  say('Checking the invariants')
  const check = { before: checkedBefore, after: await checkSeconds(client) }
  await client.end()
  return {
    from,
    to: orders,
    others,
    growSeconds,
    check,
    tasks: beside(workedBefore, workedAfter, sizes),
    filters,
    routes: [...after].map(([name, figures]) => routeBeside(name, before.get(name), figures)),
  }
}

interface RouteFigures {
  readonly ratio: number
  readonly p50: number
  readonly pages: number
}

const routeBeside = (name: string, before: RouteFigures | undefined, { ratio, p50, pages }: RouteFigures) => ({
  name,
  before: before?.ratio ?? Number.NaN,
  after: ratio,
  p50,
  pagesBefore: before?.pages ?? Number.NaN,
  pagesAfter: pages,
})

type Tasks = Readonly<Record<'renewals' | 'webhooks' | 'year', RateComparison>>

function beside(before: Tasks, after: Tasks, { due, burst, year }: ScaleSettings): Scale['tasks'] {
  const names = {
    renewals: `renewals, ${thousands(due)} due at once`,
    webhooks: `webhooks to one endpoint, ${thousands(burst)} due at once`,
    year: `renewals of ${thousands(year)} subscriptions while a test clock advances by a year`,
  }
  return (['renewals', 'webhooks', 'year'] as const).map((task) => ({
    name: names[task],
    before: before[task],
    after: after[task],
  }))
}

/** Each value of `place` selects a separate range of ids for copies, below the range of the large database. */
async function measureTasks(
  bench: Bench,
  eventId: string,
  place: number,
  { due, burst, year: subscriptions, seconds, rounds }: ScaleSettings,
): Promise<Tasks> {
  const often = { rounds, seconds: seconds * 2 }
  const first = place * 100_000_000
  bench.say('Measuring renewals')
  await renewalsPerSecond(bench, { first: first + rounds * due, due: Math.ceil(due / 5) }) // This call only warms up.
  const renewals = await besideCommits(bench, often, (round) =>
    renewalsPerSecond(bench, { first: first + round * due, due }),
  )
  bench.say('Measuring webhooks')
  const webhooks = await besideCommits(bench, often, (round) =>
    deliveriesPerSecond(bench, { eventId, first: first + 50_000_000 + 2 * round * burst, count: burst }),
  )
  bench.say('Measuring an advance of a test clock by a year')
  const year = await besideCommits(bench, often, async (round) => {
    const numbered = first + (rounds + 1) * due + round * subscriptions
    const moved = await measureYear(bench, { first: numbered, subscriptions })
    return moved.renewals / moved.seconds
  })
  return { renewals, webhooks, year }
}

/** Returns the duration in seconds. The checks find violations, because the copies violate some invariants. */
async function checkSeconds(client: pg.Client): Promise<number> {
  await client.query('ANALYZE')
  const began = performance.now()
  for (const { query } of invariants) await client.query(`SELECT count(*) FROM (${query}) found`)
  return (performance.now() - began) / 1000
}

const asked = 20

/** Returns the number of 8 kB pages that the database reads per request. */
async function pagesOf(client: pg.Client, baseUrl: string, { requests }: Route): Promise<number> {
  await client.query('SELECT pg_stat_statements_reset()')
  for (let n = 0; n < asked; n++) {
    const { path, method, headers, body } = requests[n % requests.length] as Route['requests'][number]
    const answer = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body && { body: body.replaceAll('{n}', `pages-${n}`) }),
    })
    await answer.arrayBuffer()
  }
  // The worker's polls run less than once per request, so they are left out.
  const { rows } = await client.query(
    `SELECT sum(shared_blks_hit + shared_blks_read)::float8 / $1 AS pages FROM pg_stat_statements WHERE calls >= $1::int`,
    [asked],
  )
  return Math.round(rows[0].pages)
}

const digits = (n: number): string => String(Math.floor(n)).padStart(22, '0')

/** The deep pages begin after the 100,000th item of a list, or near the end of a shorter list. */
function routesOf(api: Api, small: Api, checkoutBody: object, orders: number): Record<string, Route> {
  const list = (path: string): Route => ({ status: 200, requests: [api.request('GET', path)] })
  const far = (list: number) => firstCopy + Math.max(10, list - 100_000)
  const farOrder = `order_${digits(firstCopy * ordersOfEach + Math.max(20, orders - 100_000))}`
  const some = copiesAcross(orders)
  return {
    'GET customer': {
      status: 200,
      requests: some.map((n) => api.request('GET', `/v1/customers/customer_${digits(n)}`)),
    },
    'GET order': {
      status: 200,
      requests: some.map((n) => api.request('GET', `/v1/orders/order_${digits(n * ordersOfEach)}`)),
    },
    'list orders': list('/v1/orders'),
    'list orders, far': list(`/v1/orders?startingAfter=${farOrder}`),
    'list customers': list('/v1/customers'),
    'list customers by email': {
      status: 200,
      requests: some.map((n) => api.request('GET', `/v1/customers?email=copy-${n}@shop.example`)),
    },
    'list subscriptions': list('/v1/subscriptions'),
    'list subscriptions, far': list(
      `/v1/subscriptions?startingAfter=subscription_${digits(far(orders / ordersOfEach))}`,
    ),
    'list subscriptions of a customer': {
      status: 200,
      requests: some.map((n) => api.request('GET', `/v1/customers/customer_${digits(n)}/subscriptions`)),
    },
    'list orders, storefront of ten': { status: 200, requests: [small.request('GET', '/v1/orders')] },
    'POST customer': {
      status: 201,
      requests: [api.request('POST', '/v1/customers', { email: `scale-{n}-${orders}@bench.example`, name: 'Ada' })],
    },
    'POST checkout': { status: 201, requests: [api.request('POST', '/v1/checkouts', checkoutBody)] },
  }
}

async function filteredOf({ api, shop }: Bench, orders: number): Promise<Filtered> {
  const customer = await api.call(201, 'POST', '/v1/customers', { email: 'no-orders@bench.example', name: 'Ada' })
  const plan = await api.call(201, 'POST', '/v1/subscription-plans', {
    name: 'Unsold',
    description: 'One seat',
    basePrice: { value: '29.00', currency: 'EUR' },
    productType: 'saas',
    interval: 'month',
    intervalCount: 1,
  })
  return {
    some: copiesAcross(orders).map((n) => ({
      customerId: `customer_${digits(n)}`,
      orderId: `order_${digits(n * ordersOfEach)}`,
      subscriptionId: `subscription_${digits(n)}`,
    })),
    planId: shop.planId,
    otherPlanId: plan.id,
    customerWithoutOrders: customer.id,
  }
}

const copiesAcross = (orders: number): number[] =>
  Array.from({ length: 100 }, (_, n) => firstCopy + 2 + Math.floor((n * (orders / ordersOfEach)) / 100))

async function addStorefronts(client: pg.Client, merchantId: string, count: number): Promise<void> {
  const id = "'storefront_' || lpad(n::text, 22, '0')"
  await client.query(
    `INSERT INTO storefronts (id, merchant_id, name, created_at) SELECT ${id}, $1, 'Other', now() FROM generate_series(0, $2::int - 1) n`,
    [merchantId, count],
  )
  await client.query(`INSERT INTO clocks (storefront_id) SELECT ${id} FROM generate_series(0, $1::int - 1) n`, [count])
}

export const scalePage = (scale: Scale, where: string): string => `# Benchmarks of a large database

\`npm run bench -- --scale ${scale.to}\` writes this page. Each route is measured in a small database and, in the same run, in a large database.
A ratio compares the rate of a route with the baseline of \`docs/benchmarks.md\`. The most important column is "times as long". This figure is the ratio in the small database divided by the ratio in the large database.

${scaleTable(scale)}

**When and where**: ${where}

- **Large database**: the benchmark sells and renews one subscription through the service. The PostgreSQL command COPY then inserts copies of this
  subscription, with its customer, mandate, tasks, orders, and events (\`scripts/bench/grow.ts\`). One storefront has all these orders. The small
  database has ${thousands(scale.from)} of these orders.
- **Pages read** (of 8 kB, by \`pg_stat_statements\`) show whether a query reads more rows in a larger database. The number of pages does not depend on
  the machine or its load.
- **Filters** are measured in the large database. Each filtered page is compared with the first page of the same list without a filter.
- **Far** means the page after 10,000 pages of ten results, or a page near the end of a shorter list.
`

export const scaleTable = ({ from, to, others, growSeconds, check, tasks, filters, routes }: Scale): string =>
  [
    `| with ${thousands(to)} orders, ${thousands(to * 5)} events, ${thousands(to / 5)} subscriptions, and ${thousands(others)} storefronts of ten orders | ratio to the baseline at ${thousands(from)} | at ${thousands(to)} | p50 ms | times as long | pages read per request at ${thousands(from)} | at ${thousands(to)} |`,
    '|---|--:|--:|--:|--:|--:|--:|',
    ...routes.map(
      ({ name, before, after, p50, pagesBefore, pagesAfter }) =>
        `| ${name} | ${before.toFixed(3)} | ${after.toFixed(3)} | ${p50.toFixed(2)} | ${(before / after).toFixed(2)} | ${pagesBefore} | ${pagesAfter} |`,
    ),
    '',
    filterTable(filters),
    '',
    '| per second, with the ratio to commits of single rows that do not wait for the disk | small database | ratio | large database | ratio | times as long |',
    '|---|--:|--:|--:|--:|--:|',
    ...tasks.map(
      ({ name, before, after }) =>
        `| ${name} | ${rate(before)} | ${before.ratio.toFixed(3)} | ${rate(after)} | ${after.ratio.toFixed(3)} | ${(before.ratio / after.ratio).toFixed(2)} |`,
    ),
    '',
    `Filling the large database took ${Math.round(growSeconds)} s. The checks of the invariants take ${check.before.toFixed(1)} s in the small database and ${check.after.toFixed(1)} s in the large database.`,
  ].join('\n')

const rate = ({ perSecond }: RateComparison): string => thousands(Math.round(perSecond))
const thousands = (value: number): string => value.toLocaleString('en')
