// `npm run bench`: measures how fast the service answers and delivers webhooks, next to a baseline of the same run.
// Writes docs/benchmarks.md; with `--quick` it measures for seconds, prints, and writes nothing. `--profile FOLDER`
// keeps the service's CPU profile. `--scale 1000000` measures in a database with as many orders instead, and writes
// docs/benchmarks-scale.md. `--retention 1000000` prints how fast as many old events are removed, and what readers notice.
// `--peers` measures other shops beside it, which it installs in a folder of its own, and writes their section of the page.
// `--tracing` prints what traces, metrics and logs cost, `--memory 10` the memory of the service under ten minutes of mixed work, `--starts`
// how long a start and a command take.
import { execFile } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import type { Baseline } from './baseline.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureDocuments } from './documents.ts'
import { compare, delays, medianRound, percentile, type Round } from './figures.ts'
import { type Installation, install, type Started } from './installation.ts'
import type { Load } from './load.ts'
import { measureMemory, memoryTable } from './memory.ts'
import { writeSection, writeTop } from './page.ts'
import { measurePairs, type Target } from './pairs.ts'
import { measurePeers, peersSection, peersTable } from './peers/measure.ts'
import { type Program, program } from './program.ts'
import type { Arrival, Question } from './receiver.ts'
import { type ClockMove, measureClock, measureRenewals } from './renewals.ts'
import { markdown, type Report, tables } from './report.ts'
import { measureRemoval, removalTable } from './retention.ts'
import { databaseForScale, measureScale, scalePage, scaleTable } from './scale.ts'
import { type Api, apiOf, type Shop, sellOne, stock } from './shop.ts'
import { measureStarts, startsTable } from './starts.ts'
import { measureTracing, tracingTable } from './tracing.ts'

const { quick, profile, scale, retention, tracing, memory, starts, peers } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    scale: { type: 'string' },
    retention: { type: 'string' },
    tracing: { type: 'boolean', default: false },
    memory: { type: 'string' },
    starts: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
  },
}).values
const connections = 16
const pool = 10
const settings = quick
  ? {
      connections,
      pool,
      warmUpSeconds: 0.5,
      roundSeconds: 0.5,
      rounds: 1,
      events: 20,
      burst: 500,
      due: 200,
      others: 1_000,
      year: 30,
    }
  : {
      connections,
      pool,
      warmUpSeconds: 3,
      roundSeconds: 4,
      rounds: 3,
      events: 200,
      burst: 10_000,
      due: 10_000,
      others: 100_000,
      year: 300,
    }
// One for each event that is caused by archiving it.
const products = 2 * settings.events
const stocked = quick ? { customers: 50, sales: 20, products } : { customers: 500, sales: 200, products }

const environment = {
  RATE_LIMIT_TEST: '0',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  DATABASE_POOL: String(pool),
}

/** What all measurements work with. */
interface Bench {
  readonly installation: Installation
  readonly api: Api
  readonly shop: Shop
  readonly loader: Program<Load, Round>
  /** The machine's load average before the start. */
  readonly load: number
}

const file = path.resolve(import.meta.dirname, '../../docs/benchmarks.md')
const started: Started[] = []
let ending: Promise<void> | undefined

async function main(): Promise<void> {
  const load = os.loadavg()[0] ?? 0
  if (starts) return console.log(`\n${startsTable(await measureStarts(5, say))}\n\n${loadsAround(load)}`)
  say('Starting PostgreSQL and the service')
  const nodeOptions = profile ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`] : []
  const installation = await install(keep, environment, nodeOptions, scale || retention ? databaseForScale : {})
  const { baseUrl, key } = installation
  const api = apiOf(baseUrl, key)
  say('Filling the storefront')
  const shop = await stock(baseUrl, api, stocked)

  const loader = keep(program<Load, Round>('load.ts'))
  const bench = { installation, api, shop, loader, load }
  if (scale) return measureLarge(bench)
  if (retention || tracing) return measureReads(bench)
  if (memory) return measureResident(bench)
  if (peers) return measureBesidePeers(bench)
  const measured = await measureRoutes(bench)
  const { webhooks, deliveries } = await measureWebhooks(bench)
  say('Measuring reads beside invoices that are drawn')
  const documents = await measureDocuments(baseUrl, api, shop.customerIds, settings.roundSeconds)
  say('Measuring a year of a moved clock')
  const year = await measureYear(installation)
  say('Measuring renewals')
  const { data: sold } = await api.call(200, 'GET', '/v1/subscriptions')
  const { due, others, roundSeconds: seconds } = settings
  const renewals = await measureRenewals(installation.databaseUrl, sold[0].id, { due, others, pool, seconds })
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: { ...(await machine(installation)), load },
    settings,
    ...measured,
    webhooks,
    deliveries,
    documents,
    renewals,
    year,
  }
  console.log(`\n${tables(report)}`)
  if (!quick) writeTop(file, markdown(report))
}

/** What readers notice of something else. It is printed. */
async function measureReads({ installation, api, shop, loader, load }: Bench): Promise<void> {
  const requests = shop.customerIds.slice(0, 100).map((id) => api.request('GET', `/v1/customers/${id}`))
  const { baseUrl: origin, databaseUrl } = installation
  const reads = { origin, connections, status: 200, requests, seconds: settings.roundSeconds * 2 }
  if (retention)
    console.log(`\n${removalTable(await measureRemoval(databaseUrl, loader, reads, Number(retention), say))}`)
  if (tracing) {
    const rounds = settings.rounds * 2
    console.log(`\n${tracingTable(await measureTracing(keep, installation, environment, loader, reads, rounds, say))}`)
  }
  console.log(`\n${loadsAround(load)}`)
}

const loadsAround = (before: number): string =>
  `Load average before: ${before.toFixed(1)}, afterwards: ${os.loadavg()[0]?.toFixed(1)}.`

/** The memory of the service, which has its default of database connections, under the routes and invoices in turn. */
async function measureResident({ installation, api, shop, loader, load }: Bench): Promise<void> {
  const { baseUrl: origin } = installation
  const checkout = await api.call(201, 'POST', '/v1/checkouts', shop.checkoutBody)
  const page = {
    status: 200,
    requests: [{ method: 'GET', path: new URL(checkout.links.checkoutUrl.href).pathname, headers: {} }],
  }
  const seconds = settings.roundSeconds
  const loads = [...Object.values(routesOf(api, shop)), page].map((route) => ({
    origin,
    connections,
    seconds,
    ...route,
  }))
  const invoices = () => measureDocuments(origin, api, shop.customerIds, 0)
  console.log(`\n${memoryTable(await measureMemory(origin, loader, loads, invoices, Number(memory), say))}`)
  console.log(`\n${loadsAround(load)}`)
}

async function measureLarge({ installation, api, shop, loader, load }: Bench): Promise<void> {
  const sizes = {
    orders: Number(scale),
    due: settings.due / 2,
    pool,
    connections,
    seconds: settings.roundSeconds / 2,
    rounds: settings.rounds,
  }
  const baseline = await startBaseline(installation.databaseUrl, shop)
  const result = await measureScale(installation, api, shop.checkoutBody, loader, baseline, sizes, say)
  console.log(`\n${scaleTable(result)}`)
  if (quick) return
  const { cores, processor, node, postgres } = await machine(installation)
  const where = `${new Date().toISOString().slice(0, 10)}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres} (embedded,
durable). ${loadsAround(load)}`
  writeTop(path.resolve(file, '../benchmarks-scale.md'), scalePage(result, where))
}

async function measureBesidePeers({ installation, api, shop, loader, load }: Bench): Promise<void> {
  const baseline = await startBaseline(installation.databaseUrl, shop)
  // Some of them answer a few requests a second.
  const longer = { ...settings, warmUpSeconds: 6, roundSeconds: 10 }
  const measured = await measurePeers(keep, installation, api, shop, loader, baseline, longer, say)
  console.log(`\n${peersTable(measured)}\n\n${loadsAround(load)}`)
  if (quick) return
  const where = {
    date: new Date().toISOString().slice(0, 10),
    ...(await machine(installation)),
    loads: loadsAround(load),
  }
  writeSection(file, 'Peers', peersSection(measured, longer, where))
}

async function startBaseline(databaseUrl: string, { customerIds }: Shop): Promise<Target> {
  const port = await keep(program<Baseline, number>('baseline.ts')).ask({ databaseUrl, pool })
  return {
    origin: `http://127.0.0.1:${port}`,
    connections,
    status: 200,
    requests: customerIds.slice(0, 100).map((id) => ({ method: 'GET', path: `/${id}`, headers: {} })),
  }
}

async function measureRoutes({ installation, api, shop, loader }: Bench): Promise<Pick<Report, 'routes' | 'baseline'>> {
  const baseline = await startBaseline(installation.databaseUrl, shop)
  const service = { origin: installation.baseUrl, connections }
  const compared = []
  const baselines: Round[] = []
  await loader.ask({ ...baseline, seconds: settings.warmUpSeconds })
  for (const [name, route] of Object.entries(routesOf(api, shop))) {
    say(`Measuring ${name}`)
    const pairs = await measurePairs(loader, { ...service, ...route }, baseline, settings)
    compared.push({ name, ...compare(pairs) })
    baselines.push(...pairs.map((pair) => pair.baseline))
  }
  return { routes: compared, baseline: medianRound(baselines) }
}

function routesOf(api: Api, shop: Shop): Record<string, Pick<Load, 'status' | 'requests'>> {
  const get = (path: string) => api.request('GET', path)
  const newCustomer = { email: 'buyer-{n}@bench.example', name: 'Ada Lovelace' }
  return {
    'GET customer': { status: 200, requests: shop.customerIds.slice(0, 100).map((id) => get(`/v1/customers/${id}`)) },
    'list orders': { status: 200, requests: [get('/v1/orders')] },
    'POST customer, with an idempotency key': {
      status: 201,
      requests: [withKey(api.request('POST', '/v1/customers', newCustomer))],
    },
    'POST checkout': { status: 201, requests: [api.request('POST', '/v1/checkouts', shop.checkoutBody)] },
  }
}

const withKey = <Sent extends { headers: Record<string, string> }>(request: Sent): Sent => ({
  ...request,
  headers: { ...request.headers, 'Idempotency-Key': 'bench-{n}' },
})

async function measureWebhooks({
  installation,
  api,
  shop,
  loader,
}: Bench): Promise<Pick<Report, 'webhooks' | 'deliveries'>> {
  const { baseUrl, databaseUrl } = installation
  const { customerIds, productIds } = shop
  const receiver = keep(program<Question, number | Arrival[]>('receiver.ts'))
  const port = await receiver.ask('listen')
  await api.call(201, 'POST', '/v1/webhook-endpoints', {
    url: `http://127.0.0.1:${port}/`,
    secret: 'whsec_of_the_bench',
    enabledEvents: ['one_off_product.archived'],
  })
  const pings = 1
  let archived = 0
  /** Archives the next product and waits for its event to arrive. */
  const tell = async (): Promise<Arrival> => {
    await api.call(204, 'POST', `/v1/one-off-products/${productIds[archived++]}/archive`)
    const [arrival] = (await receiver.ask({ after: pings + archived - 1 })) as Arrival[]
    if (!arrival) throw new Error('no webhook arrived')
    return arrival
  }
  const { events, roundSeconds } = settings
  say('Measuring webhooks')
  const idle: Arrival[] = []
  while (idle.length < events) idle.push(await tell())

  const reads = customerIds.map((id) => api.request('GET', `/v1/customers/${id}`))
  const busy: Arrival[] = []
  let underLoad = true
  const read = async () => {
    await loader.ask({ origin: baseUrl, connections, status: 200, requests: reads, seconds: 2 * roundSeconds })
    underLoad = false
  }
  const tellMeanwhile = async () => {
    while (underLoad && busy.length < events) busy.push(await tell())
  }
  await Promise.all([read(), tellMeanwhile()])

  const commits = await commitTimes(databaseUrl)
  const webhooks = Object.entries({ 'one at a time': idle, 'one at a time, under load': busy }).map(
    ([name, arrivals]) => {
      const waited = delays(new Map(arrivals.map(({ eventId, at }) => [eventId, at])), commits)
      return { name, p50: percentile(waited, 50), p99: percentile(waited, 99), events: waited.length }
    },
  )
  const deliveries = await measureDeliveries(databaseUrl, idle[0]?.eventId ?? '', settings.burst)
  return { webhooks, deliveries }
}

/** Uses a storefront of its own, so that the clocks of the others do not move. */
async function measureYear({ baseUrl, databaseUrl }: Installation): Promise<ClockMove> {
  const [merchant] = await select(databaseUrl, 'SELECT id FROM merchants LIMIT 1')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../cli.mjs'),
      ...['storefront', 'create', '--merchant', merchant?.id, '--name', 'A year', '--json'],
    ],
    { env: { ...process.env, DATABASE_URL: databaseUrl } },
  )
  const api = apiOf(baseUrl, JSON.parse(stdout).testKey)
  const subscriptionId = await sellOne(baseUrl, api)
  const advance = () => api.call(200, 'POST', '/v1/test-helpers/clock/advance', { by: 'P1Y' })
  const { year: subscriptions, roundSeconds: seconds } = settings
  return measureClock(databaseUrl, subscriptionId, advance, { subscriptions, pool, seconds })
}

/** When each event was committed, as recorded by the database: milliseconds since 1970. */
async function commitTimes(databaseUrl: string): Promise<Map<string, number>> {
  const rows = await select(
    databaseUrl,
    'SELECT id, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS at FROM events',
  )
  return new Map(rows.map(({ id, at }) => [id, at]))
}

async function machine({ databaseUrl }: Installation) {
  const [row] = await select(databaseUrl, 'SHOW server_version')
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model.trim() ?? 'unknown',
    system: `${os.type()} ${os.release()}`,
    node: process.versions.node,
    postgres: row?.server_version,
  }
}

async function select(databaseUrl: string, query: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

function keep<One extends Started>(one: One): One {
  started.push(one)
  return one
}

/** Ends everything that was started and then this process; a second call does nothing more. */
function end(code: number): Promise<void> {
  ending ??= stopAll().finally(() => process.exit(code))
  return ending
}

async function stopAll(): Promise<void> {
  for (let one = started.pop(); one; one = started.pop()) await one.stop()
}

const say = (sentence: string) => console.error(`${sentence} …`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1))

main().then(
  () => end(0),
  (error) => {
    // Errors caused by the shutdown are not reported.
    if (!ending) console.error(error)
    return end(1)
  },
)
