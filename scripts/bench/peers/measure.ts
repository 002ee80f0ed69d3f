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

/** Measures other shops and the service, one after the other, with the same work and the same baseline. */

interface Row extends Comparison {
  readonly work: keyof PeerRoutes
  /** The name; for a peer with its version. */
  readonly title: string
  readonly bytes: number
  /** Processor milliseconds of the program per request; null if unknown. */
  readonly cpu: number | null
}

export interface Peers {
  readonly rows: readonly Row[]
  /** Why a peer lacks some or all figures, in one sentence each. */
  readonly missing: readonly string[]
}

/** Enough for 16 requests that each take half a second of one processor. */
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

/** The service caches `/metrics` for some seconds: waits for a new value. */
async function freshCpuSeconds(origin: string): Promise<number> {
  const kept = await cpuSeconds(origin)
  for (;;) {
    const now = await cpuSeconds(origin)
    if (now !== kept) return now
    await sleep(100)
  }
}

/** Sends requests one at a time, so that each request's full cost is counted. */
async function cpuOf(target: Target, cpuSeconds: CpuSeconds): Promise<number | null> {
  const before = await cpuSeconds()
  let sent = 0
  for (const end = performance.now() + 4_000; performance.now() < end; sent++) await bytesOf(target, sent)
  const after = await cpuSeconds()
  return before === null || after === null ? null : ((after - before) * 1000) / sent
}

/** Sends one of the requests. Returns the size of the response. */
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
    '| | | requests/s | p50 ms | p99 ms | baseline requests/s meanwhile | ratio to the baseline | lowest to highest | CPU ms of the program for a request | bytes of an answer |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
    ...missing.flatMap((sentence) => ['', sentence]),
  ].join('\n')
}

const thousands = (value: number): string => Math.round(value).toLocaleString('en')

/** The section of `docs/benchmarks.md`. */
export const peersSection = (
  peers: Peers,
  { connections, pool }: Pick<Bench, 'connections' | 'pool'>,
  { warmUpSeconds, roundSeconds, rounds }: PairSettings,
  { date, cores, processor, node, postgres, loads }: Omit<Machine, 'load'> & { date: string; loads: string },
): string => `Written by \`npm run bench -- --peers\`: two open shops beside this service, at work that all three have. The ratios
say what a request costs in each as it comes, not which code is better: read what is not alike.

${peersTable(peers)}

- **When and where**: ${date}; ${cores} cores (${processor}), Node.js ${node}, PostgreSQL ${postgres} (embedded, durable).
  ${loads} Over ${cores} means that other programs took part of the cores; the load
  and PostgreSQL take part of them as well.
- **How**: as above, but each is warmed up for ${warmUpSeconds} s, then measured for ${roundSeconds} s, ${rounds} times, and after each time the baseline for as
  long, once the program has ended what the load left. ${connections} connections, ${pool} database connections for each. The programs are
  measured one after the other, with databases of their own in the same PostgreSQL.
- **CPU** is that of the program alone, without PostgreSQL, while requests are sent one at a time for 4 s after the rounds. It
  depends least on what else the machine does. Billhook's is too high: it contains the background tasks of up to ten seconds more,
  and the readings of \`/metrics\`. A busy machine lowers the ratios of all: a program that is one process gets a smaller part of the
  cores than the baseline, for which several processes of PostgreSQL work at once.
- **How the peers run**: from npm, with their defaults in production mode (\`NODE_ENV=production\`), one process, no Redis, no
  separate worker, nothing tuned. Vendure has \`DefaultJobQueuePlugin\`; Medusa has its admin pages turned off, and warns that its default
  event bus and session store, which are in memory, are not for production. Billhook runs as \`npm start\` starts it, which is
  one process as well, with no rate limit. What several processes, a cache or Redis bring to any of them was not measured.
- **One order** with its lines, read by the merchant, is one of ${orderCount} that are asked for in turn. Billhook: \`GET /v1/orders/{id}\` with an
  API key. Vendure: \`order\` of its Admin API with a session, about the fields that our answer has. Medusa: \`GET /admin/orders/{id}\`
  with a JWT and its default fields.
- **Ten orders** are the newest, with their lines: \`GET /v1/orders\`; \`orders\` of Vendure's Admin API; \`GET /admin/orders?limit=10\`.
- **A cart with two products** is made by one request: \`POST /v1/checkouts\`; \`addItemsToOrder\` of a new guest of Vendure's Shop
  API, which makes a session and an active order; \`POST /store/carts\` with two items.
- **What is not alike**: Vendure speaks GraphQL, which is parsed, checked and resolved field by field. Medusa's default answers have
  several times as many fields, as the bytes show. The peers compute promotions, shipping, stock, customer groups and prices by region,
  none of which Billhook has, and let plugins change each step; nothing of that was turned off, but both products are sold without
  stock. Billhook's orders have tax, payments and an invoice as a merchant of record needs them, and are of digital goods; the
  peers' were sold to guests and are to be shipped. Medusa authorizes payments with its manual provider, Vendure settles them with its dummy.
`
