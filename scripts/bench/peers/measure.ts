import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../context.ts'
import { type Comparison, compare } from '../figures.ts'
import { measurePairs, type PairSettings, type Target } from '../pairs.ts'
import type { Machine } from '../report.ts'
import type { Api, Shop } from '../shop.ts'
import { cpuSeconds } from '../tracing.ts'
import { startPeer } from './install.ts'
import { medusa } from './medusa.ts'
import { orderCount, type Peer, type PeerRoutes } from './peer.ts'
import { vendure } from './vendure.ts'

/** This file measures other shop systems and the service, with the same work and the same baseline. */

interface Row extends Comparison {
  readonly work: keyof PeerRoutes
  readonly title: string
  readonly bytes: number
  /** Processor milliseconds per request; null if unknown. */
  readonly cpu: number | null
}

export interface Peers {
  readonly rows: readonly Row[]
  /** One sentence for each peer that lacks figures, with the reason. */
  readonly missing: readonly string[]
}

/** The timeout of a request, in seconds. It is enough for 16 concurrent requests that each take half a second of one processor. */
const timeoutSeconds = 60

const names = { order: 'one order', orders: 'ten orders', cart: 'a cart with two products' } as const
const works = Object.keys(names) as (keyof PeerRoutes)[]

export async function measurePeers(bench: Bench, baseline: Target, settings: PairSettings): Promise<Peers> {
  const { installation, api, shop, loader, connections, pool, keep, say } = bench
  const { baseUrl, databaseUrl } = installation
  const rows: Row[] = []
  const measure = async (title: string, origin: string, routes: PeerRoutes, cpuSeconds: CpuSeconds) => {
    for (const work of works) {
      say(`Measuring ${names[work]} of ${title}`)
      const target = { origin, connections, timeoutSeconds, ...routes[work] }
      const pairs = await measurePairs(loader, target, baseline, settings, () => bytesOf(target))
      rows.push({ ...compare(pairs), work, title, bytes: await bytesOf(target), cpu: await cpuOf(target, cpuSeconds) })
    }
  }
  const measurePeer = async (peer: Peer) => {
    say(`Installing and starting ${peer.title}`)
    const { origin, version, stop, cpuSeconds: cpu } = await startPeer(keep, peer, databaseUrl, pool)
    try {
      say(`Selling ${orderCount} orders in ${peer.title}`)
      await measure(`${peer.title} ${version}`, origin, await peer.fill(origin), cpu)
    } finally {
      await stop()
    }
  }
  await loader.ask({ ...baseline, seconds: settings.warmUpSeconds })
  await measure('Billhook', baseUrl, await ours(api, shop), () => freshCpuSeconds(baseUrl))
  const missing: string[] = []
  for (const peer of [vendure, medusa]) {
    try {
      await measurePeer(peer)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      console.error(`${peer.title} is not measured any further: ${reason}`)
      missing.push(`${peer.title} has no figures, or not all: ${reason.split('\n')[0]}.`)
    }
  }
  return { rows, missing }
}

async function ours(api: Api, { checkoutBody }: Shop): Promise<PeerRoutes> {
  const { data } = await api.call(200, 'GET', `/v1/orders?limit=${orderCount}`)
  return {
    order: { status: 200, requests: data.map(({ id }: { id: string }) => api.request('GET', `/v1/orders/${id}`)) },
    orders: { status: 200, requests: [api.request('GET', '/v1/orders')] },
    cart: { status: 201, requests: [api.request('POST', '/v1/checkouts', checkoutBody)] },
  }
}

type CpuSeconds = () => number | null | Promise<number | null>

/** The service caches `/metrics` for some seconds, so this function waits for a new value. */
async function freshCpuSeconds(origin: string): Promise<number> {
  const kept = await cpuSeconds(origin)
  for (;;) {
    const now = await cpuSeconds(origin)
    if (now !== kept) return now
    await sleep(100)
  }
}

async function cpuOf(target: Target, cpuSeconds: CpuSeconds): Promise<number | null> {
  const before = await cpuSeconds()
  let sent = 0
  for (const end = performance.now() + 4_000; performance.now() < end; sent++) await bytesOf(target, sent)
  const after = await cpuSeconds()
  return before === null || after === null ? null : ((after - before) * 1000) / sent
}

async function bytesOf({ origin, requests }: Target, n = 0): Promise<number> {
  const { path, ...sent } = requests[n % requests.length] ?? { path: '' }
  return (await (await fetch(origin + path, sent)).arrayBuffer()).byteLength
}

export function peersTable({ rows, missing }: Peers): string {
  const lines = works.flatMap((each) =>
    rows
      .filter(({ work }) => work === each)
      .map(({ work, title, perSecond, p50, p99, baselinePerSecond, ratio, lowestRatio, highestRatio, bytes, cpu }) => {
        const rate = perSecond < 100 ? perSecond.toFixed(1) : thousands(perSecond)
        const ratios = `${ratio.toFixed(4)} | ${lowestRatio.toFixed(4)} to ${highestRatio.toFixed(4)}`
        return `| ${names[work]} | ${title} | ${rate} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${thousands(baselinePerSecond)} | ${ratios} | ${cpu?.toFixed(2) ?? ''} | ${thousands(bytes)} |`
      }),
  )
  return [
    '| | | requests/s | p50 ms | p99 ms | baseline requests/s meanwhile | ratio to the baseline | lowest to highest | CPU ms of the program per request | bytes of a response |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
    ...missing.flatMap((sentence) => ['', sentence]),
  ].join('\n')
}

const thousands = (value: number): string => Math.round(value).toLocaleString('en')

export const peersSection = (
  peers: Peers,
  { connections, pool }: Pick<Bench, 'connections' | 'pool'>,
  { warmUpSeconds, roundSeconds, rounds }: PairSettings,
  { date, cores, processor, node, postgres, loads }: Omit<Machine, 'load'> & { date: string; loads: string },
): string => `\`npm run bench -- --peers\` writes this section. The section compares Billhook with two open-source shop systems, in tasks
that all three systems can do. The ratios show the cost of a request with the default settings of each system. The ratios do not show which
code is better, because the systems do different work: read the differences below.

${peersTable(peers)}

- **When and where**: ${date}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres} (embedded, durable).
  ${loads} A value over ${cores} means that other programs used part of the cores. The load
  and PostgreSQL also use part of the cores.
- **Method**: the method is the same as for the first table of this page, but each program is warmed up for ${warmUpSeconds} s and then measured for ${roundSeconds} s, ${rounds} times. After
  each round, the program first completes its remaining requests. Then the baseline is measured for the same time as the program. The load generator uses ${connections} connections, and each
  program has ${pool} database connections. The programs are measured one after the other, with separate databases in the same
  PostgreSQL.
- **CPU ms** is the processor time of the program without PostgreSQL. After the rounds, this figure is measured separately for 4 s, with one request at
  a time. Of all figures, other programs on the machine affect this figure least. Billhook's figure is too high, because it includes up to ten further
  seconds of background tasks, and the requests of \`/metrics\`.
- **A busy machine** lowers the ratios of all programs. The baseline uses several processes of PostgreSQL at the same time, so it
  gets a larger part of the cores than a program with one process.
- **How the peers run**: the peers are installed from npm, and run with their default settings in production mode (\`NODE_ENV=production\`).
  Each peer runs as one process, without Redis, without a separate worker, and without tuning. Vendure uses its \`DefaultJobQueuePlugin\`. The admin pages of Medusa are turned off.
  Medusa warns that its default event bus and session store are in memory, and are not meant for production. Billhook runs as one process,
  started by \`npm start\`, without a rate limit. The effect of several processes, a cache, or Redis was not measured.
- **One order.** Each request reads one of ${orderCount} orders with its lines. Billhook: \`GET /v1/orders/{id}\` with an
  API key. Vendure: \`order\` of its Admin API, with a session. Vendure's response has about the same fields as Billhook's response. Medusa:
  \`GET /admin/orders/{id}\` with a JWT and its default fields.
- **Ten orders** are the newest orders with their lines. Billhook: \`GET /v1/orders\`. Vendure: \`orders\` of its Admin API. Medusa:
  \`GET /admin/orders?limit=10\`.
- **A cart with two products**: one request creates the cart. Billhook: \`POST /v1/checkouts\`. Vendure: \`addItemsToOrder\` of its
  Shop API for a new guest, which creates a session and an active order. Medusa: \`POST /store/carts\` with two items.
- **Differences**: Vendure uses GraphQL, so it parses, checks, and resolves each field. Medusa's default responses have several times
  as many fields, as the bytes show. The peers compute promotions, shipping, stock, customer groups, and prices by region, and let
  plugins change each step. Billhook has none of these features. The peers run with these features enabled, but do not track the stock of the two products. Billhook's orders are for digital goods, and have the tax, payments, and invoice of a merchant of record. The peers' orders belong to guests and must be shipped. Medusa authorizes payments with its manual provider. Vendure
  settles payments with its dummy provider.
`
