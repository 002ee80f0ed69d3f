import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveReview } from '@/lib/modules/catalog/operations.ts'
import { db } from '@/lib/platform/db/db.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { send } from '@/lib/testing/api.ts'
import * as factories from '@/lib/testing/factories.ts'
import { aReceiver } from '@/lib/testing/receiver.ts'
import { aShop } from '@/lib/testing/shop.ts'
import { raise } from '@/lib/workflows/chargeback/operations.ts'

interface TenantData {
  readonly key: string
  readonly has: Record<string, string[]>
}
const tenants: TenantData[] = []
const receivers: Awaited<ReturnType<typeof aReceiver>>[] = []

/**
 * Creates the data of one tenant. A live tenant has no orders or subscriptions, because this test makes no payments in
 * live mode.
 */
async function seedTenant(key: string, hook: string): Promise<TenantData> {
  const live = key.startsWith('live_')
  const plan = (await factories.aPlan(key)).id
  const product = (await factories.aProduct(key)).id
  if (live) await Promise.all([plan, product].map((id) => approveReview(id)))
  const customer = (await factories.aCustomer(key, { email: 'ada@example.com' })).id
  const checkout = await factories.aCheckout(key, plan)
  const link = (await factories.aPaymentLink(key, plan)).id
  const order = live ? null : (await factories.pay(key, checkout)).orderId
  const back = order ? await moneyBack(key, order) : null
  const subscriptions = (await send('GET /v1/subscriptions', { key })).body.data.map(({ id }: { id: string }) => id)
  await send(`POST /v1/one-off-products/${product}/archive`, { key })
  await send(`DELETE /v1/one-off-products/${product}/archive`, { key })
  const event = await db().events.findFirstOrThrow({ where: { entity_id: product } })
  return {
    key,
    has: {
      '/v1/subscription-plans': [plan],
      '/v1/one-off-products': [product],
      '/v1/customers': [customer],
      '/v1/checkouts': [checkout.id],
      '/v1/payment-links': [link],
      '/v1/orders': order ? [order] : [],
      '/v1/refunds': back ? [back.refundId] : [],
      '/v1/chargebacks': back ? [back.chargebackId] : [],
      '/v1/subscriptions': subscriptions,
      '/v1/webhook-endpoints': [(await factories.anEndpoint(key, hook)).id],
      '/v1/webhook-events': [event.id],
    },
  }
}

async function moneyBack(key: string, orderId: string) {
  const { lines } = (await send(`GET /v1/orders/${orderId}`, { key })).body
  const items = [{ itemId: lines[0].id, amount: factories.price('1.00') }]
  const { body } = await send(`POST /v1/orders/${orderId}/refunds`, { key, body: { items } })
  const { chargebackId } = await raise(orderId, { amount: '1.21', reason: 'fraud' })
  return { refundId: body.id as string, chargebackId }
}

beforeAll(async () => {
  const receiver = await aReceiver()
  receivers.push(receiver)
  for (const { testKey, liveKey } of [await aShop({ name: 'One' }), await aShop({ name: 'Two' })]) {
    tenants.push(await seedTenant(testKey, receiver.url), await seedTenant(liveKey, receiver.url))
  }
})
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())))

const paths = [
  '/v1/subscription-plans',
  '/v1/one-off-products',
  '/v1/customers',
  '/v1/checkouts',
  '/v1/payment-links',
  '/v1/orders',
  '/v1/refunds',
  '/v1/chargebacks',
  '/v1/subscriptions',
  '/v1/webhook-endpoints',
]
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

test('the test data for tenant isolation has objects of each tenant', () => {
  const counts = tenants.map(({ has }) => Object.values(has).flat().length)
  expect(counts).toEqual([11, 7, 11, 7])
  const ids = tenants.flatMap(({ has }) => Object.values(has).flat())
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(paths)('the list %s is isolated by tenant', (path) => {
  test('a list shows only the objects of the storefront and mode of the key', async () => {
    for (const { key, has } of tenants) {
      for (const query of ['', '?limit=100']) {
        expect(idsOf((await send(`GET ${path}${query}`, { key })).body)).toEqual(has[path])
      }
    }
  })

  test('a list refuses a cursor of another tenant', async () => {
    for (const tenant of tenants) {
      for (const id of tenants.filter((other) => other !== tenant).flatMap(({ has }) => has[path] ?? [])) {
        for (const cursor of ['startingAfter', 'endingBefore']) {
          const reply = await send(`GET ${path}?${cursor}=${id}`, { key: tenant.key })
          expect(reply).toMatchObject({ status: 422, body: { errors: { [cursor]: [expect.any(String)] } } })
        }
      }
    }
  })
})

describe.each([...paths, '/v1/webhook-events'])('the objects of %s are isolated by tenant', (path) => {
  test('an object of another tenant cannot be read, changed, or deleted', async () => {
    const before = await allRows()
    const verbs: [method: string, tail: string, body?: object][] = [['GET', '']]
    if (/plans|products/.test(path))
      verbs.push(['PATCH', '', { name: 'Taken over' }], ['POST', '/archive'], ['DELETE', '/archive'])
    if (path === '/v1/customers') verbs.push(['PATCH', '', { name: 'Taken over' }], ['GET', '/subscriptions'])
    if (path === '/v1/payment-links') verbs.push(['PATCH', '', { active: false }])
    if (path === '/v1/orders') {
      const items = [{ itemId: `order_item_${'0'.repeat(22)}`, amount: factories.price('1.00') }]
      verbs.push(['POST', '/invoice-update-link'], ['POST', '/refunds', { items }], ['POST', '/refunds/full'])
      verbs.push(['GET', '/refunds'], ['GET', '/chargebacks'])
    }
    if (path === '/v1/webhook-endpoints') verbs.push(['PATCH', '', { secret: 'a secret of mine' }], ['DELETE', ''])
    for (const tenant of tenants) {
      for (const id of tenant.has[path] ?? [])
        expect((await send(`GET ${path}/${id}`, { key: tenant.key })).status).toBe(200)
      for (const id of tenants.filter((other) => other !== tenant).flatMap(({ has }) => has[path] ?? [])) {
        for (const [method, tail, body] of verbs) {
          const reply = await send(`${method} ${path}/${id}${tail}`, { key: tenant.key, ...(body && { body }) })
          expect(reply, `${method} ${path}${tail}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
        }
      }
    }
    expect(await allRows()).toEqual(before)
  })
})

test('a refund or chargeback is not found under the URL of another order', async () => {
  const [tenant, , elsewhere] = tenants
  const { key = '' } = tenant ?? {}
  const own = (await send(`GET /v1/orders/${tenant?.has['/v1/orders']?.[0]}`, { key })).body.id
  const other = (await factories.pay(key, await factories.aCheckout(key, (await factories.aProduct(key)).id))).orderId
  for (const noun of ['refunds', 'chargebacks']) {
    const [id] = tenant?.has[`/v1/${noun}`] ?? []
    const one = (await send(`GET /v1/${noun}/${id}`, { key })).body
    expect((await send(`GET /v1/orders/${own}/${noun}/${id}`, { key })).body).toEqual(one)
    expect(idsOf((await send(`GET /v1/orders/${own}/${noun}`, { key })).body)).toEqual([id])
    expect(idsOf((await send(`GET /v1/orders/${other}/${noun}`, { key })).body)).toEqual([])
    const before = await allRows()
    const asked = [
      `GET /v1/orders/${other}/${noun}/${id}`,
      `GET /v1/orders/${own}/${noun}/${elsewhere?.has[`/v1/${noun}`]}`,
    ]
    if (noun === 'refunds') asked.push(...asked.map((line) => line.replace('GET', 'DELETE')))
    for (const line of asked) expect([line, (await send(line, { key })).status]).toEqual([line, 404])
    expect(await allRows()).toEqual(before)
  }
})

test("the list of a customer's subscriptions has no subscriptions of other customers", async () => {
  const [tenant] = tenants
  const { key = '' } = tenant ?? {}
  const [subscription] = tenant?.has['/v1/subscriptions'] ?? []
  const { customerId } = (await send(`GET /v1/subscriptions/${subscription}`, { key })).body
  const stranger = (await factories.aCustomer(key)).id
  expect(idsOf((await send(`GET /v1/customers/${customerId}/subscriptions`, { key })).body)).toEqual([subscription])
  expect(idsOf((await send(`GET /v1/customers/${stranger}/subscriptions`, { key })).body)).toEqual([])
  const one = await send(`GET /v1/customers/${customerId}/subscriptions/${subscription}`, { key })
  expect(one.body).toEqual((await send(`GET /v1/subscriptions/${subscription}`, { key })).body)
  expect((await send(`GET /v1/customers/${stranger}/subscriptions/${subscription}`, { key })).status).toBe(404)
})

test('all tenants can use the same email address and the same idempotency key', async () => {
  const body = { email: 'same@example.com' }
  const ids = []
  for (const { key } of tenants) {
    const reply = await send('POST /v1/customers', { key, body, headers: { 'idempotency-key': 'the-same' } })
    expect(reply.status).toBe(201)
    ids.push(reply.body.id)
  }
  expect(new Set(ids).size).toBe(tenants.length)
})
