import pg from 'pg'
import { aDatabase, killAll, start, stopAll } from './own-service.ts'
import { apiOf, aStorefront, commandLine } from './shop.ts'
import { expect, test, theBuyer } from './test.ts'

test.afterEach(killAll)

const pageLoads = 10

test('the proxy and the page share one database read per request', async () => {
  const databaseUrl = await aDatabase('page_loads')
  const environment = { DATABASE_URL: databaseUrl }
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
  const open = async (service: string, path: string, contains: string) => {
    const page = await fetch(service + path, { headers: { cookie } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(contains)])
  }
  await open(address, '/portal', theBuyer.email)
  await stopAll()

  const readsPerPage = async (table: string, path: string, contains: string) => {
    const before = await readsOf(databaseUrl, table)
    const service = await start('web', environment)
    for (let load = 0; load < pageLoads; load++) await open(service, path, contains)
    await stopAll()
    return ((await readsOf(databaseUrl, table)) - before) / pageLoads
  }
  expect(await readsPerPage('checkouts', checkoutPath, 'Handbook')).toBe(1)
  expect(await readsPerPage('portal_sessions', '/portal', theBuyer.email)).toBe(1)
})

const pathOf = (url: string) => new URL(url, 'http://localhost').pathname

/**
 * Call this function after the service has stopped, because PostgreSQL publishes the statistics of a connection when
 * the connection ends.
 */
async function readsOf(databaseUrl: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const others = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  await expect.poll(async () => (await client.query(others)).rows[0].count).toBe(0)
  const { rows } = await client.query(
    'SELECT (seq_scan + coalesce(idx_scan, 0))::int AS reads FROM pg_stat_user_tables WHERE relname = $1',
    [table],
  )
  await client.end()
  return rows[0].reads
}
