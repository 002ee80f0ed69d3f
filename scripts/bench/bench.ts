// `npm run bench` measures API requests and webhook deliveries next to a baseline, and writes docs/benchmarks.md.
// --quick measures for seconds, prints the figures, and writes no file.
// --profile FOLDER stores a CPU profile of the service.
// --scale 1000000 measures with that number of orders, and writes docs/benchmarks-scale.md.
// --scale with --filters prints only the figures of list requests with filters.
// --retention 1000000 prints how fast old events are removed, and how much the removal slows down reads.
// --admin prints the figures of admin pages and searches, with 100,000 orders and a million customers.
// --routes prints only the figures of the API routes. --starts prints the duration of a start and of a command.
// --peers installs and measures other shop systems, and writes a section of docs/benchmarks.md. --tracing prints the
// cost of telemetry.
// --memory 10 prints the memory that the service uses during ten minutes of mixed work.
// --neighbors, --processes, --task-server, --page, and --paint each write one section of docs/benchmarks.md.
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { adminTable, measureAdmin } from './admin.ts'
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

const { quick, profile, scale, filters, admin, retention, tracing, memory, starts, peers, routes, ...sections } =
  parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      scale: { type: 'string' },
      filters: { type: 'boolean', default: false },
      admin: { type: 'boolean', default: false },
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
      // Many short rounds, because the speed of a machine can change within seconds.
      routes: { roundSeconds: 1.5, rounds: 9 },
      events: 200,
      burst: 10_000,
      due: 10_000,
      others: 100_000,
      year: 1_000,
    }
// Each of the two delay measurements archives one product per event. One more product is archived to cause the event
// that the delivery measurement copies.
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
  const installation = await install(
    keep,
    environment,
    nodeOptions,
    scale || retention || admin ? databaseForScale : {},
  )
  const { baseUrl, key } = installation
  const api = apiOf(baseUrl, key)
  say('Filling the storefront')
  const shop = await stock(baseUrl, api, stocked)
  const loader = keep(program<Load, Round>('load.ts'))
  const bench = { installation, environment, api, shop, loader, connections, pool, keep, say }
  if (scale) return measureLarge(bench, load)
  if (admin) {
    const sizes = quick
      ? { orders: 5_000, customers: 20_000, requests: 10 }
      : { orders: 100_000, customers: 1_000_000, requests: 50 }
    return console.log(`\n${adminTable(await measureAdmin(bench, sizes))}\n\n${loadsAround(load)}`)
  }
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
  readonly notes: string
}

function sectionsOf(bench: Bench): Record<keyof typeof sections, Section> {
  const { due, roundSeconds: seconds, rounds } = settings
  return {
    neighbors: {
      heading: 'Reads during the work of other storefronts',
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
      heading: 'Renewals through an Inngest server',
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
      `\`npm run bench -- --${option}\` writes this section.

${text}

- **When and where**: ${new Date().toISOString().slice(0, 10)}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres}
  (embedded, durable). The load generator ran on the same cores. ${loadsAround(load)}
${notes}`,
    )
  }
}

/** Measures one process that serves requests and runs tasks, as in development. Then measures with a separate worker process, as in production. */
async function measureNeighborsTwice(bench: Bench, sizes: NeighborSizes) {
  const { installation } = bench
  const together = await measureNeighbors(bench, installation, { first: 10_000_000, ...sizes })
  await installation.service.stop()
  const several = await startAnother(keep, installation, { ...environment, WEB_PROCESSES: '1' })
  const place = { ...installation, baseUrl: several.baseUrl }
  const beside = await measureNeighbors(bench, place, { first: 20_000_000, ...sizes })
  return [
    { name: 'one process', noticed: together },
    { name: 'one process for requests, one for tasks', noticed: beside },
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
  say('Measuring an advance of a test clock by a year')
  const moves: ClockMove[] = []
  const yearsRenewals = await besideCommits(bench, often, async (round) => {
    const move = await measureYear(bench, { subscriptions, first: 100_000_000 + round * subscriptions })
    moves.push(move)
    return move.renewals / move.seconds
  })
  say('Measuring renewals')
  await renewalsPerSecond(bench, { first: 1, due }) // This call only warms up, so its result is not used.
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
  `The load average was ${before.toFixed(1)} before the run and ${os.loadavg()[0]?.toFixed(1)} afterward.`

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
  // Measures longer than usual, because some of the other shop systems handle only a few requests per second.
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

/** Stops all started programs and this process. A second call has no further effect. */
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
    // The shutdown itself causes errors, which are not reported.
    if (!ending) console.error(error)
    return end(1)
  },
)
