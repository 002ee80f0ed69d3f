import { beforeAll, describe, expect, test } from 'vitest'
import { firstIdAt } from '@/lib/kernel/ids.ts'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aCheckout, aPlan, aProduct, pay } from '@/lib/testing/factories.ts'
import { aShop, runDueTasks, type Shop } from '@/lib/testing/shop.ts'
import { clockTo, drainTasks, get } from '@/lib/testing/subscription-scenario.ts'
import { move, raise } from '@/lib/workflows/chargeback/operations.ts'

type Item = { id: string; status: string; createdAt: string; customerId: string | null; eventName: string }

let shop: Shop
let other: Shop
let key: string
let planId: string
const bought: Record<'ada' | 'bob', { customerId: string; orderId: string; subscriptionId: string }> = {
  ada: { customerId: '', orderId: '', subscriptionId: '' },
  bob: { customerId: '', orderId: '', subscriptionId: '' },
}

const list = async (path: string): Promise<Item[]> => (await get(key, path)).data
const idsOf = async (path: string) => (await list(path)).map(({ id }) => id)

/** Ada and Bob buy a plan on 1 January 2027. Each subscription renews twice. Ada's first order is refunded, and Bob's newest renewal is charged back. */
beforeAll(async () => {
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  other = await aShop()
  key = shop.testKey
  planId = (await aPlan(key)).id
  for (const name of ['ada', 'bob'] as const) {
    const checkout = await aCheckout(key, planId)
    const paid = await pay(key, checkout, { email: `${name}@example.com` })
    await drainTasks()
    const { data } = await get(key, `/v1/customers/${paid.customerId}/subscriptions`)
    bought[name] = { customerId: paid.customerId, orderId: paid.orderId, subscriptionId: data[0].id }
  }
  await clockTo(key, '2027-03-01T00:00:00Z')
  const refund = await send(`POST /v1/orders/${bought.ada.orderId}/refunds/full`, { key })
  expect(refund.status).toBe(201)
  await clockTo(key, '2027-03-02T00:00:00Z')
  const renewal = (await list(`/v1/orders?subscriptionId=${bought.bob.subscriptionId}`))[0]
  const { chargebackId } = await raise(renewal?.id ?? '', { reason: 'product_not_received' })
  await move(chargebackId, 'lost')
  await send(`DELETE /v1/subscriptions/${bought.bob.subscriptionId}`, { key })
  await runDueTasks()
})

describe('orders', () => {
  test('the customer filter of orders returns exactly the orders and credit notes of the given customer', async () => {
    for (const { customerId } of Object.values(bought)) {
      const expected = (await list('/v1/orders?limit=100')).filter((order) => order.customerId === customerId)
      expect(await idsOf(`/v1/orders?customerId=${customerId}`)).toEqual(expected.map(({ id }) => id))
      expect(expected.length).toBe(4)
    }
  })

  test('the subscription filter of orders returns the first order, the renewals, and the credit notes, newest first', async () => {
    for (const { customerId, subscriptionId } of Object.values(bought)) {
      expect(await idsOf(`/v1/orders?subscriptionId=${subscriptionId}`)).toEqual(
        await idsOf(`/v1/orders?customerId=${customerId}`),
      )
    }
  })

  test('the time filter returns orders created at or after createdAfter and before createdBefore', async () => {
    const all = await list('/v1/orders?limit=100')
    const bounds = [
      '2027-01-01',
      '2027-02-01T00:00:00Z',
      '2027-02-01T00:00:01Z',
      '2027-03-01',
      '2100-01-01',
      '1960-01-01',
    ]
    for (const after of bounds) {
      for (const before of bounds) {
        const expected = all.filter(
          ({ createdAt }) => new Date(createdAt) >= new Date(after) && new Date(createdAt) < new Date(before),
        )
        expect(await list(`/v1/orders?limit=100&createdAfter=${after}&createdBefore=${before}`)).toEqual(expected)
      }
    }
  })

  test('orders can be paged in both directions with several filters combined', async () => {
    const filters = `customerId=${bought.ada.customerId}&status=paid&createdAfter=2027-01-02&limit=1`
    const expected = await idsOf(`/v1/orders?${filters.replace('limit=1', 'limit=100')}`)
    expect(expected.length).toBe(3)
    const seen: string[] = []
    let page = await get(key, `/v1/orders?${filters}`)
    for (; page.links.next; page = await get(key, page.links.next.href.slice('http://billhook.test'.length))) {
      expect(page.links.next.href).toContain(`customerId=${bought.ada.customerId}&status=paid&createdAfter=2027-01-02`)
      seen.push(...page.data.map(({ id }: Item) => id))
    }
    seen.push(...page.data.map(({ id }: Item) => id))
    expect(seen).toEqual(expected)
    const back = await get(key, page.links.prev.href.slice('http://billhook.test'.length))
    expect(back.data.map(({ id }: Item) => id)).toEqual([expected[1]])
  })

  test('a list of orders accepts filters in snake case, and the page links contain the filters', async () => {
    const page = await get(key, `/v1/orders?customer_id=${bought.ada.customerId}&limit=1`)
    expect(page.data[0].customerId).toBe(bought.ada.customerId)
    expect(page.links.next.href).toContain(`customer_id=${bought.ada.customerId}`)
  })

  test('each line of an order links to its order and product', async () => {
    const sale = await get(key, `/v1/orders/${bought.ada.orderId}`)
    const link = (path: string) => ({ href: `http://billhook.test/v1${path}`, type: 'application/json' })
    expect(sale.lines[0].links).toEqual({
      order: link(`/orders/${bought.ada.orderId}`),
      product: link(`/subscriptions/${bought.ada.subscriptionId}`),
    })
  })
})

describe('the other lists', () => {
  test.each([
    ['subscriptions', () => ({ customerId: bought.ada.customerId })],
    ['subscriptions', () => ({ subscriptionPlanId: planId })],
    ['subscriptions', () => ({ status: 'on_grace_period' })],
    ['checkouts', () => ({ customerId: bought.bob.customerId })],
    ['checkouts', () => ({ status: 'paid' })],
    ['refunds', () => ({ customerId: bought.ada.customerId })],
    ['refunds', () => ({ status: 'refunded' })],
    ['chargebacks', () => ({ customerId: bought.bob.customerId })],
    ['chargebacks', () => ({ status: 'lost' })],
  ])('the list of %s contains only objects that match its filter', async (name, filters) => {
    const [[field, value] = ['', '']] = Object.entries(filters())
    const expected = (await list(`/v1/${name}?limit=100`)).filter((item) => item[field as keyof Item] === value)
    expect(expected.length).toBeGreaterThan(0)
    expect(await list(`/v1/${name}?limit=100&${field}=${value}`)).toEqual(expected)
  })

  test('the nested lists of a customer or an order can be filtered by status', async () => {
    const { customerId, subscriptionId } = bought.bob
    expect(await idsOf(`/v1/customers/${customerId}/subscriptions?status=on_grace_period`)).toEqual([subscriptionId])
    expect(await idsOf(`/v1/customers/${customerId}/subscriptions?status=active`)).toEqual([])
    expect(await idsOf(`/v1/orders/${bought.ada.orderId}/refunds?status=failed`)).toEqual([])
    expect(await idsOf(`/v1/orders/${bought.ada.orderId}/refunds?status=refunded`)).toHaveLength(1)
    expect(await idsOf(`/v1/orders/${bought.ada.orderId}/chargebacks?status=won`)).toEqual([])
  })

  test('webhook events are listed newest first, and a listed event equals the response for the single event', async () => {
    const all = await list('/v1/webhook-events?limit=100')
    const stored = await db().events.findMany({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'desc' } })
    expect(all.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).slice(0, 100))
    expect(await get(key, `/v1/webhook-events/${all[0]?.id}`)).toEqual(all[0])
    const paid = all.filter(({ eventName }) => eventName === 'order.paid')
    expect(paid.length).toBeGreaterThan(3)
    expect(await list('/v1/webhook-events?limit=100&eventName=order.paid')).toEqual(paid)
    expect(await idsOf(`/v1/webhook-events?entityId=${bought.ada.orderId}&eventName=order.paid`)).toHaveLength(1)
    const late = all.filter(({ createdAt }) => createdAt >= '2027-03-02')
    expect(await list('/v1/webhook-events?limit=100&createdAfter=2027-03-02')).toEqual(late)
  })

  test('a list is empty if a filter contains the id of an object in another storefront or mode', async () => {
    const foreign = [
      `orders?customerId=${bought.ada.customerId}`,
      `orders?subscriptionId=${bought.ada.subscriptionId}`,
      `subscriptions?subscriptionPlanId=${planId}`,
      `refunds?customerId=${bought.ada.customerId}`,
      `webhook-events?entityId=${bought.ada.orderId}`,
    ]
    for (const path of foreign) {
      for (const stranger of [other.testKey, shop.liveKey])
        expect((await get(stranger, `/v1/${path}`)).data).toEqual([])
    }
  })
})

describe('a filter is refused', () => {
  test.each([
    ['orders?customerId=customer_1', 'customerId'],
    ['orders?customerId=', 'customerId'],
    ['orders?subscriptionId=order_0000000000000000000001', 'subscriptionId'],
    ['orders?status=done', 'status'],
    ['orders?status=paid&status=pending', 'status'],
    ['orders?createdAfter=yesterday', 'createdAfter'],
    ['orders?createdBefore=2027-02-30', 'createdBefore'],
    ['orders?custmerId=customer_0000000000000000000001', 'custmerId'],
    ['checkouts?createdAfter=2027-01-01', 'createdAfter'],
    ['webhook-events?eventName=order.unheard_of', 'eventName'],
    ['customers?customerId=customer_0000000000000000000001', 'customerId'],
    [`orders/order_0000000000000000000001?limit=1`, 'limit'],
  ])('a filter with an unknown name or an invalid value is refused: %s', async (path, field) => {
    const reply = await send(`GET /v1/${path}`, { key })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(Object.keys(reply.body.errors)).toEqual([field])
  })
})

test('the ids of orders and events sort by creation time in seconds, so that a time filter can compare ids', async () => {
  const rows = [...(await db().orders.findMany({})), ...(await db().events.findMany({}))]
  expect(rows.length).toBeGreaterThan(20)
  for (const { id, created_at } of rows) {
    const prefix = id.startsWith('order_') ? 'order_' : 'webhook_event_'
    const nextSecond = new Date(created_at.getTime() + 1000)
    expect(id >= firstIdAt(prefix, created_at) && id < firstIdAt(prefix, nextSecond), id).toBe(true)
  }
})

describe('a body field', () => {
  test('a request with a body field that resembles a known field gets 422 with a suggestion, and has no effect', async () => {
    const body = { email: 'misspelled@example.com', Name: 'Ada' }
    expect(await send('POST /v1/customers', { key, body })).toMatchObject({
      status: 422,
      body: { errors: { Name: ['Unknown field Name. Did you mean name?'] } },
    })
    expect(await idsOf('/v1/customers?email=misspelled@example.com')).toEqual([])
    const change = { quantity: 2, applyImmediatly: true }
    const path = `/v1/subscriptions/${bought.ada.subscriptionId}`
    expect(await send(`PATCH ${path}`, { key, body: change })).toMatchObject({
      status: 422,
      body: { errors: { applyImmediatly: ['Unknown field applyImmediatly. Did you mean applyImmediately?'] } },
    })
    expect((await get(key, path)).quantity).toBe(1)
  })

  test('a body field that resembles no known field is ignored, and the Ignored-Fields header names the field', async () => {
    const { id } = await aProduct(key)
    const body = { name: 'Another name', colour: 'red', basePrice: { value: '2.00', currency: 'EUR', cents: 200 } }
    const reply = await send(`PATCH /v1/one-off-products/${id}`, { key, body })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('ignored-fields')).toBe('colour, basePrice.cents')
    expect((await send('GET /v1/orders', { key })).headers.get('ignored-fields')).toBeNull()
  })
})

describe('DELETE of a subscription', () => {
  test('DELETE of a subscription accepts `immediately` in the body, unless the query has a different value', async () => {
    const at = `/v1/subscriptions/${bought.ada.subscriptionId}`
    const cancel = (query: string, body: object) => send(`DELETE ${at}${query}`, { key, body })
    expect(await cancel('?immediately=false', { immediately: true })).toMatchObject({
      status: 422,
      body: { errors: { immediately: ['Query and body differ. Send the field only once.'] } },
    })
    expect(await cancel('', { immediately: 'yes' })).toMatchObject({ status: 422 })
    expect((await get(key, at)).status).toBe('active')
    expect((await cancel('', { immediately: true })).status).toBe(204)
    expect((await get(key, at)).status).toBe('canceled')
  })
})
