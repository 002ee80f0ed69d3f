import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBillhook, webhooks } from './index.ts'
import { createTestServer, exampleEvent, signedDelivery } from './testing.ts'

const server = createTestServer()
const billhook = createBillhook({ baseUrl: server.url, apiKey: 'test_key', fetch: server.fetch, maxRetries: 0 })
const plan = 'subscription_plan_RfEwE7QN3oX14T1dgwAOcY'
beforeEach(() => {
  server.reset()
})

const send = (path: string, init: RequestInit = {}) =>
  server.fetch(new Request(`${server.url}${path}`, { headers: { Authorization: 'Bearer test_key' }, ...init }))

describe('the test server', () => {
  it('the test server returns the example of the operation with the id of the path and the fields of the body', async () => {
    const id = 'customer_0000000000000000000000'
    const customer = await billhook.updateCustomer(id, { name: 'Ada' })
    expect(customer).toMatchObject({ id, name: 'Ada', resource: 'customer' })
  })

  it('the test server does not replace ids of nested resources with the id of the path', async () => {
    const refund = await billhook.createRefund('order_3lZhwwu1c49G9Xng964qvq', {
      items: [{ itemId: 'order_item_yCwCJOLolOTCDU6ZYc5QlW', amount: { value: '1.00', currency: 'EUR' } }],
    })
    expect(refund.id).toMatch(/^refund_/)
  })

  it('the test server records the calls that pass its checks, and reset() clears the records', async () => {
    await billhook.cancelSubscription('subscription_1', { immediately: true })
    expect(server.calls).toMatchObject([
      { id: 'cancelSubscription', params: { id: 'subscription_1' }, query: { immediately: 'true' }, body: undefined },
    ])
    server.reset()
    expect(server.calls).toEqual([])
  })

  it('the test server replays the response of an idempotency key, and refuses a different request with this key', async () => {
    const create = (email: string) => billhook.createCustomer({ email }, { idempotencyKey: 'k' })
    expect(await create('a@b.example')).toEqual(await create('a@b.example'))
    expect(server.calls).toHaveLength(1)
    await expect(create('c@b.example')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  it('the test server accepts an idempotency key again after a temporary error', async () => {
    const answers = [503, 201]
    server.respond('createCustomer', () => ({ status: answers.shift() ?? 500, body: { code: 'unavailable' } }))
    const create = () => billhook.createCustomer({ email: 'a@b.example' }, { idempotencyKey: 'k' })
    await expect(create()).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    await create()
    expect(server.calls).toHaveLength(2)
  })

  it('the test server reports each validation error on its field', async () => {
    const body = { products: [{ id: 'team', quantity: 0 }, { id: plan }], redirectUrlSuccess: 'https://shop.example' }
    await expect(billhook.createCheckout(body as never)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: {
        'products.0.id': [expect.any(String)],
        'products.0.quantity': [expect.any(String)],
        redirectUrlCanceled: ['This field is required.'],
      },
    })
    expect(server.calls).toEqual([])
  })

  it.each([
    ['no key', '/v1/orders', { headers: {} }, 401, 'unauthenticated'],
    [
      'a live key for a test helper',
      '/v1/test-helpers/clock',
      { headers: { Authorization: 'Bearer live_1' } },
      403,
      'test_mode_only',
    ],
    ['an unknown path', '/v1/order', {}, 404, 'endpoint_not_found'],
    ['a method that the path does not support', '/v1/orders', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a body that is not JSON', '/v1/checkouts', { method: 'POST', body: '{' }, 400, 'malformed_json'],
    ['a limit beyond 100', '/v1/orders?limit=101', {}, 422, 'validation_failed'],
    ['an unknown filter', '/v1/orders?customer=1', {}, 422, 'validation_failed'],
  ])('the test server refuses a request with %s', async (_, path, init, status, code) => {
    const request = { headers: { Authorization: 'Bearer test_key' }, ...init }
    const response = await send(path, request)
    expect([response.status, (await response.json()).code]).toEqual([status, code])
  })

  it('every operation of the test server has an example response, unless its status is 204', async () => {
    const { operations } = await import('./testing/contract.ts')
    expect(operations.length).toBeGreaterThan(50)
    for (const { id, status, example } of operations)
      expect([id, status === 204 || example !== null]).toEqual([id, true])
  })
})

describe('a listening server', () => {
  let close: (() => Promise<void>) | undefined
  afterEach(async () => close?.())

  it('a listening test server responds over HTTP', async () => {
    const listening = await server.listen()
    close = listening.close
    const remote = createBillhook({ baseUrl: listening.url, apiKey: 'test_key' })
    expect((await remote.createCustomer({ email: 'ä@b.example' })).email).toBe('ä@b.example')
  })
})

describe('an example event', () => {
  it('an example event has the documented fields, the fields that the test overrides, and a valid signature', async () => {
    const event = exampleEvent('order.payment_failed', { status: 'pending' })
    expect(event.object.status).toBe('pending')
    const delivery = await signedDelivery('https://shop.example/webhooks', 'whsec_of_the_test', event)
    const header = delivery.headers.get('service-signature')
    expect(await webhooks.verify(await delivery.text(), header, 'whsec_of_the_test')).toEqual(event)
    expect(exampleEvent('order.payment_failed').object.status).not.toBe(undefined)
  })
})
