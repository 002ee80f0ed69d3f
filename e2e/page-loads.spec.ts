import pg from 'pg'
import { aDatabase, killAll, start } from './own-service.ts'
import { apiOf, aStorefront, commandLine } from './shop.ts'
import { expect, test, theBuyer } from './test.ts'

test.afterEach(killAll)

const pageLoads = 10

test('the proxy and the page share one database read per request', async () => {
  const databaseUrl = await aDatabase('page_loads')
  // `readsOf` ends connections, and each lost connection would be logged as a warning.
  const environment = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' }
  const { testKey } = await aStorefront(commandLine(environment))
  const address = await start('web', environment)
  const api = apiOf(address, testKey)
  const product = {
    name: 'Handbook',
    description: 'x',
    productType: 'ebook',
    basePrice: { value: '10.00', currency: 'EUR' },
  }
  const { id } = await api('POST', '/one-off-products', product)
  const urls = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }
  const aCheckout = async () => api('POST', '/checkouts', { products: [{ id }], ...urls })
  const post = async (path: string, fields: Record<string, string>) =>
    fetch(`${address}${path}/submit`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const paid = await aCheckout()
  const toPay = await post(pathOf(paid.links.checkoutUrl.href), theBuyer)
  await post(pathOf(toPay.headers.get('location') ?? ''), { outcome: 'paid' })
  const { orderId } = await api('GET', `/checkouts/${paid.id}`)
  const { customerId } = await api('GET', `/orders/${orderId}`)
  const session = await api('POST', `/customers/${customerId}/portal-sessions`, {})
  const signedIn = await post(pathOf(session.url), {})
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const checkoutPath = pathOf((await aCheckout()).links.checkoutUrl.href)
  const open = async (path: string, contains: string) => {
    const page = await fetch(address + path, { headers: { cookie } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(contains)])
  }
  await open('/portal', theBuyer.email)

  const readsPerPage = async (table: string, path: string, contains: string) => {
    const before = await readsOf(databaseUrl, table)
    for (let load = 0; load < pageLoads; load++) await open(path, contains)
    return ((await readsOf(databaseUrl, table)) - before) / pageLoads
  }
  expect(await readsPerPage('checkouts', checkoutPath, 'Handbook')).toBe(1)
  expect(await readsPerPage('portal_sessions', '/portal', theBuyer.email)).toBe(1)
})

const pathOf = (url: string) => new URL(url, 'http://localhost').pathname

/** Ends the idle connections of the service first, because PostgreSQL publishes the statistics of a connection when the connection ends. */
async function readsOf(databaseUrl: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const others = `SELECT coalesce(array_agg(pid), '{}') AS pids FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  const pidsNow = async (): Promise<number[]> => (await client.query(others)).rows[0].pids
  const ended = await pidsNow()
  await client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [ended])
  await expect.poll(async () => (await pidsNow()).filter((pid) => ended.includes(pid))).toEqual([])
  const { rows } = await client.query(
    'SELECT (seq_scan + coalesce(idx_scan, 0))::int AS reads FROM pg_stat_user_tables WHERE relname = $1',
    [table],
  )
  await client.end()
  return rows[0].reads
}
