import { aDatabase, killAll, start, stopAll } from './own-service.ts'
import { aStorefront, commandLine } from './shop.ts'
import { expect, test } from './test.ts'

test.afterEach(killAll)

test('processes with the roles `web` and `worker` serve pages and run tasks separately', async ({
  page,
  merchant,
  shopUrl,
}) => {
  const environment = { DATABASE_URL: await aDatabase('roles'), WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1' }
  const web = await start('web', environment)
  const { testKey } = await aStorefront(commandLine(environment))
  const api = (method: string, address: string, body: object) =>
    fetch(`${web}/v1${address}`, {
      method,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const hooked = await api('POST', '/webhook-endpoints', { url: `${shopUrl}/hooks`, secret: merchant.secret })
  expect(hooked.status).toBe(201)
  const pings = merchant.received.length
  const product = await api('POST', '/one-off-products', {
    name: 'Handbook',
    description: 'As an e-book',
    productType: 'ebook',
    basePrice: { value: '29.99', currency: 'EUR' },
  })
  expect(product.status).toBe(201)
  const { id } = await product.json()
  expect((await api('PATCH', `/one-off-products/${id}`, { name: 'Handbook 2' })).status).toBe(200)
  expect((await page.goto(`${web}/checkout/unknown`))?.status()).toBe(404)
  await expect(page.locator('h1')).toBeVisible()

  // The `web` process stores the event but does not deliver it, because only a worker delivers events.
  const lag = async () => (await (await fetch(`${web}/readyz`)).json()).taskLagSeconds
  await expect.poll(lag).toBeGreaterThanOrEqual(2)
  expect(merchant.received).toHaveLength(pings)
  const tasks = async () => (await (await fetch(`${web}/readyz`)).json()).tasks
  expect(await tasks()).toBe('no worker has run')

  const worker = await start('worker', environment)
  await expect.poll(() => merchant.received.length).toBeGreaterThan(pings)
  await expect.poll(lag).toBe(0)
  await expect.poll(tasks).toBe('ok')
  expect((await fetch(`${worker}/readyz`)).status).toBe(200)
  expect((await fetch(`${worker}/v1/customers`)).status).toBe(404)
  expect((await fetch(`${worker}/checkout/unknown`)).status).toBe(404)

  expect(await stopAll()).toEqual([0, 0])
})
