// `npm run bench`: measures how fast the service answers and delivers webhooks, with a baseline in the same run. Writes
// docs/benchmarks.md. `--quick` measures for seconds, prints, and writes nothing. `--profile FOLDER` keeps the
// service's CPU profile. `--scale 1000000` measures in a database with that number of orders, and writes
// docs/benchmarks-scale.md; with `--filters` it prints the filters of lists alone. `--retention 1000000` prints how fast old events are removed, and how reads slow down
// meanwhile. `--routes` prints the table of the routes alone. `--peers` installs and measures other shops, and writes their section. `--tracing` prints the cost of
// traces, metrics, and logs. `--memory 10` prints the service's memory under ten minutes of mixed work, and `--starts`
// the duration of a start and a command. `--neighbors`, `--processes`, `--task-server`, `--page`, and `--paint` each
// write a section: reads during other storefronts' work, the gain of more processes, the cost of an Inngest server, the
// checkout page, and the paint of pages on a slow phone.
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureCheckoutPage, pageNotes, pageTable } from './checkout-page.ts'
import { besideCommits } from './commits.ts'
import type { Bench } from './context.ts'
import { connected } from './copies.ts'
import { deliveriesPerSecond } from './deliveries.ts'
import { measureDocuments } from './documents.ts'
import { median, type Round } from './figures.ts'
import { filterTable } from './filters.ts'
import { handedOverNotes, handedOverTable, measureHandedOver } from './handed-over.ts'
import { type Installation, install, type Started, startAnother } from './installation.ts'
import type { Load } from './load.ts'
import { measureMemory, memoryTable } from './memory.ts'
import { measureNeighbors, type NeighborSizes, neighborsNotes, neighborsTable } from './neighbors.ts'
import { writeSection, writeTop } from './page.ts'
import { measurePaints, paintNotes, paintTable } from './paint.ts'
import { measurePeers, peersSection, peersTable } from './peers/measure.ts'
import { measureProcesses, processesNotes, processesTable } from './processes.ts'
import { program } from './program.ts'
import { addNotDue, renewalsPerSecond } from './renewals.ts'
import { markdown, type Report, routesTable, tables } from './report.ts'
import { measureRemoval, removalTable } from './retention.ts'
import { measureRoutes, routesOf, startBaseline } from './routes.ts'
import { databaseForScale, measureFiltersAtScale, measureScale, scalePage, scaleTable } from './scale.ts'
import { apiOf, stock } from './shop.ts'
import { measureStarts, startsTable } from './starts.ts'
import { measureTracing, tracingTable } from './tracing.ts'
import { measureDelays, startReceiver } from './webhooks.ts'
import { type ClockMove, measureYear } from './year.ts'

const { quick, profile, scale, filters, retention, tracing, memory, starts, peers, routes, ...sections } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    scale: { type: 'string' },
    filters: { type: 'boolean', default: false },
    retention: { type: 'string' },
    tracing: { type: 'boolean', default: false },
    memory: { type: 'string' },
    starts: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    routes: { type: 'boolean', default: false },
    neighbors: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    'task-server': { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    paint: { type: 'boolean', default: false },
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
      routes: { roundSeconds: 0.5, rounds: 1 },
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
      // Many short rounds, because a machine may change its speed within seconds.
      routes: { roundSeconds: 1.5, rounds: 9 },
      events: 200,
      burst: 10_000,
      due: 10_000,
      others: 100_000,
      year: 1_000,
    }
// One product for each event that archiving it causes, and one for the event that is copied.
const products = 2 * settings.events + 1
const stocked = quick ? { customers: 50, sales: 20, products } : { customers: 500, sales: 200, products }

const environment = {
  RATE_LIMIT_TEST: '0',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  DATABASE_POOL: String(pool),
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
  const bench = { installation, environment, api, shop, loader, connections, pool, keep, say }
  if (scale) return measureLarge(bench, load)
  if (retention || tracing) return measureReads(bench, load)
  if (memory) return measureResident(bench, load)
  if (peers) return measureBesidePeers(bench, load)
  if (routes) {
    const measured = await measureRoutes(bench, { ...settings, ...settings.routes })
    return console.log(`\n${routesTable(measured).join('\n')}\n\n${loadsAround(load)}`)
  }
  const asked = Object.entries(sectionsOf(bench)).filter(([name]) => sections[name as keyof typeof sections])
  if (asked.length > 0) return measureSections(bench, load, asked)
  const report = { ...(await measureAll(bench)), machine: { ...(await machine(installation)), load } }
  console.log(`\n${tables(report)}`)
  if (!quick) writeTop(file, markdown(report))
}

interface Section {
  readonly heading: string
  readonly table: () => Promise<string>
  /** How the figure is measured, and notes for its reader. */
  readonly notes: string
}

function sectionsOf(bench: Bench): Record<keyof typeof sections, Section> {
  const { due, roundSeconds: seconds, rounds } = settings
  return {
    neighbors: {
      heading: 'What readers notice of others',
      table: async () => {
        const sizes = quick
          ? { due: 3_000, moved: 300, waiting: 500, seconds: 0.5, rounds: 1 }
          : { due: 50_000, moved: 1_000, waiting: 10_000, seconds: 2 * seconds, rounds }
        return neighborsTable(await measureNeighborsTwice(bench, sizes))
      },
      notes: neighborsNotes,
    },
    processes: {
      heading: 'Several processes on one database',
      table: async () =>
        processesTable(await measureProcesses(bench, { seconds: Math.max(3, seconds), due: due / 5, first: 1 })),
      notes: processesNotes,
    },
    'task-server': {
      heading: 'Renewals through a task server',
      table: async () => handedOverTable(await measureHandedOver(bench, { rounds, due: due / 2, first: 1 })),
      notes: handedOverNotes,
    },
    page: {
      heading: 'The checkout page',
      table: async () =>
        pageTable(await measureCheckoutPage(bench, { seconds: Math.max(2, seconds / 2), rounds: 2 * rounds + 1 })),
      notes: pageNotes,
    },
    paint: {
      heading: 'The first paint of pages',
      table: async () => paintTable(await measurePaints(bench, { loads: quick ? 1 : 9 })),
      notes: paintNotes,
    },
  }
}

async function measureSections(
  bench: Bench,
  load: number,
  asked: readonly (readonly [string, Section])[],
): Promise<void> {
  for (const [option, { heading, table, notes }] of asked) {
    const text = await table()
    console.log(`\n${text}\n\n${loadsAround(load)}`)
    if (quick) continue
    const { cores, processor, node, postgres } = await machine(bench.installation)
    writeSection(
      file,
      heading,
      `Written by \`npm run bench -- --${option}\`.

${text}

- **When and where**: ${new Date().toISOString().slice(0, 10)}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres}
  (embedded, durable), which the load uses as well. ${loadsAround(load)}
${notes}`,
    )
  }
}

/** First in one process, as \`npm start\` runs here. Then as in production, with a separate process for tasks. */
async function measureNeighborsTwice(bench: Bench, sizes: NeighborSizes) {
  const { installation } = bench
  const together = await measureNeighbors(bench, installation, { first: 10_000_000, ...sizes })
  await installation.service.stop()
  const several = await startAnother(keep, installation, { ...environment, WEB_PROCESSES: '1' })
  const place = { ...installation, baseUrl: several.baseUrl }
  const beside = await measureNeighbors(bench, place, { first: 20_000_000, ...sizes })
  return [
    { name: 'one process', noticed: together },
    { name: 'one that answers, one that runs tasks', noticed: beside },
  ]
}

async function measureAll(bench: Bench): Promise<Omit<Report, 'machine'>> {
  const { events, burst, due, others, year: subscriptions, roundSeconds: seconds, rounds } = settings
  const often = { seconds, rounds }
  const measured = await measureRoutes(bench, { ...settings, ...settings.routes })
  say('Measuring webhooks')
  const observe = await startReceiver(bench)
  const webhooks = await measureDelays(bench, observe, { events, seconds: 2 * seconds })
  const { eventId } = await observe()
  const deliveries = await besideCommits(bench, often, (round) =>
    deliveriesPerSecond(bench, { eventId, first: 500_000_000 + 2 * round * burst, count: burst }),
  )
  say('Measuring reads beside invoices that are drawn')
  const documents = await measureDocuments(bench, seconds)
  say('Measuring a year of a moved clock')
  const moves: ClockMove[] = []
  const yearsRenewals = await besideCommits(bench, often, async (round) => {
    const move = await measureYear(bench, { subscriptions, first: 100_000_000 + round * subscriptions })
    moves.push(move)
    return move.renewals / move.seconds
  })
  say('Measuring renewals')
  await renewalsPerSecond(bench, { first: 1, due }) // warms up
  const renewalsFrom = (first: number) =>
    besideCommits(bench, often, (round) => renewalsPerSecond(bench, { first: first + round * due, due }))
  const renewals = await renewalsFrom(1 + due)
  await addNotDue(bench, { first: 200_000_000, count: others })
  const renewalsBeside = await renewalsFrom(1 + (1 + rounds) * due)
  return {
    date: new Date().toISOString().slice(0, 10),
    settings,
    ...measured,
    webhooks,
    documents,
    year: { subscriptions, renewals: moves[0]?.renewals ?? 0, seconds: median(moves.map((move) => move.seconds)) },
    work: { deliveries, renewals, renewalsBeside, yearsRenewals },
  }
}

/** Measures and prints how reads slow down during other work. */
async function measureReads(bench: Bench, load: number): Promise<void> {
  const { installation, api, shop } = bench
  const requests = shop.customerIds.slice(0, 100).map((id) => api.request('GET', `/v1/customers/${id}`))
  const seconds = settings.roundSeconds * 2
  const reads = { origin: installation.baseUrl, connections, status: 200, requests, seconds }
  if (retention) console.log(`\n${removalTable(await measureRemoval(bench, reads, Number(retention)))}`)
  if (tracing) console.log(`\n${tracingTable(await measureTracing(bench, reads, settings.rounds * 2))}`)
  console.log(`\n${loadsAround(load)}`)
}

const loadsAround = (before: number): string =>
  `Load average before: ${before.toFixed(1)}, afterwards: ${os.loadavg()[0]?.toFixed(1)}.`

/** The service's memory under the routes and invoices in turn, with its default number of database connections. */
async function measureResident(bench: Bench, load: number): Promise<void> {
  const { installation, api, shop } = bench
  const checkout = await api.call(201, 'POST', '/v1/checkouts', shop.checkoutBody)
  const page = {
    status: 200,
    requests: [{ method: 'GET', path: new URL(checkout.links.checkoutUrl.href).pathname, headers: {} }],
  }
  const loads = [...Object.values(routesOf(bench)), page].map((route) => ({
    origin: installation.baseUrl,
    connections,
    seconds: settings.roundSeconds,
    ...route,
  }))
  const invoices = () => measureDocuments(bench, 0)
  console.log(`\n${memoryTable(await measureMemory(bench, loads, invoices, Number(memory)))}`)
  console.log(`\n${loadsAround(load)}`)
}

async function measureLarge(bench: Bench, load: number): Promise<void> {
  const { due, burst, year, roundSeconds, rounds } = settings
  const sizes = { orders: Number(scale), due: due / 2, burst, year: year / 5, seconds: roundSeconds / 2, rounds }
  if (filters) return console.log(`\n${filterTable(await measureFiltersAtScale(bench, sizes))}\n\n${loadsAround(load)}`)
  const result = await measureScale(bench, await startBaseline(bench), sizes)
  console.log(`\n${scaleTable(result)}`)
  if (quick) return
  const { cores, processor, node, postgres } = await machine(bench.installation)
  const where = `${new Date().toISOString().slice(0, 10)}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres} (embedded,
durable). ${loadsAround(load)}`
  writeTop(path.resolve(file, '../benchmarks-scale.md'), scalePage(result, where))
}

async function measureBesidePeers(bench: Bench, load: number): Promise<void> {
  // Some peers answer only a few requests per second.
  const longer = { ...settings, warmUpSeconds: 6, roundSeconds: 10 }
  const measured = await measurePeers(bench, await startBaseline(bench), longer)
  console.log(`\n${peersTable(measured)}\n\n${loadsAround(load)}`)
  if (quick) return
  const where = {
    date: new Date().toISOString().slice(0, 10),
    ...(await machine(bench.installation)),
    loads: loadsAround(load),
  }
  writeSection(file, 'Peers', peersSection(measured, bench, longer, where))
}

async function machine({ databaseUrl }: Installation) {
  const { rows } = await connected(databaseUrl, (client) => client.query('SHOW server_version'))
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model.trim() ?? 'unknown',
    system: `${os.type()} ${os.release()}`,
    node: process.versions.node,
    postgres: rows[0].server_version,
  }
}

function keep<One extends Started>(one: One): One {
  started.push(one)
  return one
}

/** Stops everything that was started, and then this process. A second call does nothing more. */
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
