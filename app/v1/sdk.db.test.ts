import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Listener } from '@/lib/server/listen.ts'
import { listening } from '@/lib/testing/listening.ts'
import { subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'
import { type Billhook, BillhookError, createBillhook } from '@/packages/sdk/src/index.ts'
import { createTestServer } from '@/packages/sdk/src/testing.ts'

let listener: Listener
let billhook: Billhook
let planId: string
let subscriptionId: string

beforeAll(async () => {
  listener = await listening()
  const scenario = await subscriptionScenario()
  planId = scenario.planId
  subscriptionId = scenario.id
  billhook = createBillhook({ baseUrl: `http://127.0.0.1:${listener.port}`, apiKey: scenario.key })
})
afterAll(() => listener.close(0))

const caught = (promise: PromiseLike<unknown>) =>
  promise.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as BillhookError,
  )

it('repeating an SDK call with its idempotency key has no second effect', async () => {
  const create = () => billhook.createCustomer({ email: 'once@example.com' }, { idempotencyKey: 'once' })
  const [first, second] = [await create(), await create()]
  expect(second).toEqual(first)
  const { data } = await billhook.listCustomers({ email: 'once@example.com' })
  expect(data.map(({ id }) => id)).toEqual([first.id])
})

it('the SDK retries a call after a lost response, and the call has one effect', async () => {
  let requests = 0
  const losing = createBillhook({
    baseUrl: `http://127.0.0.1:${listener.port}`,
    apiKey: (await subscriptionScenario()).key,
    fetch: async (request) => {
      const response = await fetch(request)
      if (++requests === 1) throw new TypeError('the connection was lost after the service had responded')
      return response
    },
  })
  const terms = { productType: 'saas', interval: 'month', intervalCount: 1 } as const
  const basePrice = { value: '10.00', currency: 'EUR' } as const
  const plan = await losing.createSubscriptionPlan({ name: 'Lost', description: 'A response', basePrice, ...terms })
  expect(requests).toBe(2)
  const named: string[] = []
  for await (const each of losing.listSubscriptionPlans()) if (each.name === 'Lost') named.push(each.id)
  expect(named).toEqual([plan.id])
})

it('`for await` of the SDK iterates over all pages of a list, newest item first', async () => {
  const ids: string[] = []
  for (const number of [1, 2, 3, 4, 5])
    ids.push((await billhook.createCustomer({ email: `list-${number}@example.com` })).id)
  const read: string[] = []
  for await (const { id } of billhook.listCustomers({ limit: 2 })) if (ids.includes(id)) read.push(id)
  expect(read).toEqual(ids.toReversed())
})

it('a preview and a cancellation through the SDK return the response of the service', async () => {
  const change = { quantity: 5, applyImmediately: true, invoiceImmediately: true }
  expect((await billhook.previewSubscriptionChange(subscriptionId, change)).dueNow?.total.currency).toBe('EUR')
  expect(await billhook.cancelSubscription(subscriptionId, { immediately: true })).toBeUndefined()
  expect((await billhook.getSubscription(subscriptionId)).status).toBe('canceled')
})

it('errors of the service have the same codes and fields as errors of the SDK’s test server', async () => {
  const server = createTestServer()
  const mocked = createBillhook({ baseUrl: server.url, apiKey: 'test_key', fetch: server.fetch })
  const urls = { redirectUrlSuccess: 'https://shop.example/a', redirectUrlCanceled: 'https://shop.example/b' }
  const wrong: ((client: Billhook) => PromiseLike<unknown>)[] = [
    (client) => client.request('POST', '/v1/checkouts', { body: {} }),
    (client) => client.createCheckout({ products: [{ id: planId, quantity: 0 }], ...urls }),
    (client) => client.createCheckout({ products: [], ...urls }),
    (client) => client.request('POST', '/v1/checkouts', { body: [1] }),
    (client) => client.listOrders({ limit: 500 }),
    (client) => client.request('GET', '/v1/orders', { query: { customer: 'customer_1' } }),
    (client) => client.request('GET', '/v1/tomorrow'),
    (client) => client.request('DELETE', '/v1/orders'),
  ]
  const facts = ({ code, status, errors }: BillhookError) => ({ code, status, fields: Object.keys(errors).sort() })
  for (const call of wrong) expect(facts(await caught(call(mocked)))).toEqual(facts(await caught(call(billhook))))
  const stranger = createBillhook({ baseUrl: `http://127.0.0.1:${listener.port}`, apiKey: 'test_unknown' })
  const error = await caught(stranger.getTestClock())
  expect(error).toBeInstanceOf(BillhookError)
  expect(error).toMatchObject({ code: 'unauthenticated', status: 401, requestId: expect.any(String) })
})
