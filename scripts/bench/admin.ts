import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { operatorCookie } from '../../lib/modules/operators/begin-session.ts'
import { addCustomers, addEntries, addFigures } from './admin-rows.ts'
import type { Bench } from './context.ts'
import { percentile } from './figures.ts'
import { openGrowing } from './scale.ts'

export interface AdminSizes {
  readonly orders: number
  readonly customers: number
  /** The number of requests per page, sent one after the other. */
  readonly requests: number
}

export interface AdminPage {
  readonly name: string
  readonly p50: number
  readonly p95: number
  readonly targetMs: number
  readonly statements: number
  /** Execution time in PostgreSQL per request, in milliseconds. */
  readonly databaseMs: number
  /** 8 kB blocks that PostgreSQL reads per request. */
  readonly blocks: number
}

const pageTargetMs = 200
const searchTargetMs = 50

const searches = {
  'three letters, many matches': ['ann', 'ber', 'man', 'com', 'son'],
  'three letters, some matches': ['zof', 'xav', 'wyn', 'qui', 'ygr'],
  'three letters, no match': ['xqz', 'vvv', 'jjq'],
  'three letters, one customer in a hundred': ['.77', '.31', '.50'],
  'a common part of a name': ['anna', 'mann', 'berg', 'example.com'],
  'a rare part of a name': ['quintero', 'nobody at all', 'xaver wyn'],
} as const

export async function measureAdmin(bench: Bench, sizes: AdminSizes): Promise<AdminPage[]> {
  const { shop, say } = bench
  const { client, template, add } = await openGrowing(bench)
  say(`Adding ${sizes.orders} orders and ${sizes.customers} customers`)
  const { storefrontId } = template
  await add(sizes.orders / 5, 0, () => storefrontId)
  await addCustomers(client, storefrontId, sizes.customers)
  await addEntries(client, storefrontId)
  await addFigures(client, storefrontId, shop.planId)
  const staff = await signedIn(client, null)
  const member = await signedIn(client, template.merchantId)
  const pages: AdminPage[] = []
  const measure = async (name: string, paths: readonly string[], cookie: string, targetMs: number) => {
    const page = await measurePage(bench, client, { name, paths, cookie, targetMs }, sizes.requests)
    say(`${name}: ${page.p95.toFixed(1)} ms at p95, ${page.databaseMs.toFixed(1)} ms in PostgreSQL`)
    pages.push(page)
  }
  for (const [name, path] of Object.entries(await pathsOf(client, storefrontId)))
    await measure(name, [path], staff, pageTargetMs)
  for (const [name, texts] of Object.entries(searches)) {
    const paths = texts.map((text) => `/admin/search?q=${encodeURIComponent(text)}`)
    await measure(`search, ${name}`, paths, staff, searchTargetMs)
    await measure(`search of a member, ${name}`, paths, member, searchTargetMs)
  }
  await client.end()
  return pages
}

/** Creates a session with a second factor. Returns the cookie of the session. */
async function signedIn(client: pg.Client, merchantId: string | null): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const suffix = merchantId === null ? 'staff' : 'member'
  await client.query(
    `INSERT INTO operators (id, email, password_hash, created_at, merchant_id, role) VALUES ($1, $2, '', now(), $3, $4)`,
    [`operator_bench_${suffix}`, `bench-${suffix}@example.com`, merchantId, merchantId && 'owner'],
  )
  await client.query(
    `INSERT INTO operator_sessions (id, operator_id, secret_hash, address, browser, created_at, verified_at, last_used_at)
     VALUES ($1, $2, $3, '127.0.0.1', 'bench', now(), now(), now())`,
    [`operator_session_bench_${suffix}`, `operator_bench_${suffix}`, createHash('sha256').update(secret).digest()],
  )
  return `${operatorCookie}=${secret}`
}

async function pathsOf(client: pg.Client, storefrontId: string): Promise<Record<string, string>> {
  const root = `/admin/test/${storefrontId}`
  const newest = async (table: string) =>
    (
      await client.query(`SELECT id FROM ${table} WHERE storefront_id = $1 AND testmode ORDER BY id DESC LIMIT 1`, [
        storefrontId,
      ])
    ).rows[0].id
  const lists = ['orders', 'subscriptions', 'customers', 'catalog', 'checkouts', 'payment-links', 'emails', 'events']
  const others = ['deliveries', 'endpoints', 'past-due', 'chargebacks', 'balance', 'payouts', 'tax-report', 'audit-log']
  return {
    'home, 12 months': `${root}?range=12m`,
    'home, 30 days': root,
    inbox: '/admin',
    ...Object.fromEntries([...lists, ...others].map((name) => [name, `${root}/${name}`])),
    'an order': `${root}/orders/${await newest('orders')}`,
    'a subscription': `${root}/subscriptions/${await newest('subscriptions')}`,
    'a customer': `${root}/customers/${await newest('customers')}`,
    'a product': `${root}/catalog/${await newest('products')}`,
    'an event': `${root}/events/${await newest('events')}`,
  }
}

interface Asked {
  readonly name: string
  readonly paths: readonly string[]
  readonly cookie: string
  readonly targetMs: number
}

async function measurePage(
  { installation: { baseUrl } }: Bench,
  client: pg.Client,
  { name, paths, cookie, targetMs }: Asked,
  requests: number,
): Promise<AdminPage> {
  const ask = async (n: number) => {
    const began = performance.now()
    const path = paths[n % paths.length] ?? ''
    const response = await fetch(baseUrl + path, { headers: { cookie }, redirect: 'manual' })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return performance.now() - began
  }
  // PostgreSQL chooses a generic plan at the sixth execution of a prepared statement, so the warm-up requests each page
  // up to six times.
  for (let n = 0; n < Math.min(requests, 6 * paths.length); n++) await ask(n)
  await client.query('SELECT pg_stat_statements_reset()')
  const took: number[] = []
  while (took.length < requests) took.push(await ask(took.length))
  // A statement that runs less than once per two requests belongs to the worker, so it is not counted.
  const { rows } = await client.query(
    `SELECT sum(calls)::float8 AS calls, sum(total_exec_time) AS ms, sum(shared_blks_hit + shared_blks_read)::float8 AS blocks
     FROM pg_stat_statements WHERE calls >= $1::int / 2`,
    [requests],
  )
  return {
    name,
    targetMs,
    p50: percentile(took, 50),
    p95: percentile(took, 95),
    statements: rows[0].calls / requests,
    databaseMs: rows[0].ms / requests,
    blocks: rows[0].blocks / requests,
  }
}

export const adminTable = (pages: readonly AdminPage[]): string =>
  [
    '| page, requested by one caller | p50 ms | p95 ms | target | statements | ms in PostgreSQL | pages read |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...pages.map(
      ({ name, p50, p95, targetMs, statements, databaseMs, blocks }) =>
        `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${targetMs} | ${statements.toFixed(0)} | ${databaseMs.toFixed(1)} | ${blocks.toFixed(0)} |`,
    ),
  ].join('\n')
