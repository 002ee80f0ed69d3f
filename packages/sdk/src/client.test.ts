import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BillhookError, createBillhook } from './index.ts'

/** The mock makes the random delays of retries as short as possible. */
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
})

type Step = Response | Error | ((request: Request) => Response)

function clientOf(...steps: Step[]) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request.clone())
    const step = steps[requests.length - 1]
    if (!step) throw new Error(`unexpected request ${requests.length}: ${request.method} ${request.url}`)
    if (step instanceof Error) throw step
    return typeof step === 'function' ? step(request) : step
  }
  return { billhook: createBillhook({ baseUrl: 'https://pay.example/', apiKey: 'test_key', fetch }), requests }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })
const refusal = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { code, message: 'No.', requestId: 'r1' }, headers)
const keysOf = (requests: Request[]) => new Set(requests.map((each) => each.headers.get('idempotency-key')))
const caught = (promise: PromiseLike<unknown>) =>
  promise.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as BillhookError,
  )

describe('a call', () => {
  it('an SDK call sends the key, the path, and the body, and returns the JSON', async () => {
    const { billhook, requests } = clientOf(json(200, { id: 'subscription_1' }))
    const result = await billhook.changeSubscription('subscription_1', { quantity: 3 }, { idempotencyKey: 'mine' })
    expect(result).toEqual({ id: 'subscription_1' })
    expect(requests).toHaveLength(1)
    const [request] = requests as [Request]
    expect([request.method, request.url]).toEqual(['PATCH', 'https://pay.example/v1/subscriptions/subscription_1'])
    expect(Object.fromEntries(request.headers)).toMatchObject({
      authorization: 'Bearer test_key',
      'content-type': 'application/json',
      'idempotency-key': 'mine',
    })
    expect(await request.json()).toEqual({ quantity: 3 })
  })

  it('an SDK call omits empty query values, and returns undefined for 204', async () => {
    const { billhook, requests } = clientOf(new Response(null, { status: 204 }), new Response(null, { status: 204 }))
    expect(await billhook.cancelSubscription('subscription_1', { immediately: true })).toBeUndefined()
    await billhook.cancelSubscription('subscription_1')
    expect(requests.map(({ url }) => url)).toEqual([
      'https://pay.example/v1/subscriptions/subscription_1?immediately=true',
      'https://pay.example/v1/subscriptions/subscription_1',
    ])
  })

  it('an SDK call encodes ids, and refuses an empty id', async () => {
    const { billhook, requests } = clientOf(json(200, {}))
    await billhook.getOrder('../customers?x')
    expect(requests[0]?.url).toBe('https://pay.example/v1/orders/..%2Fcustomers%3Fx')
    expect(() => billhook.getOrder('')).toThrow('The id is empty.')
  })

  it('request() can call operations for which the SDK has no method', async () => {
    const { billhook, requests } = clientOf(json(200, { a: 1 }))
    expect(await billhook.request('POST', '/v1/tomorrow', { body: { b: 2 }, query: { c: 3 } })).toEqual({ a: 1 })
    expect(requests[0]?.url).toBe('https://pay.example/v1/tomorrow?c=3')
    expect(requests[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['no API key', { baseUrl: 'https://pay.example', apiKey: undefined }],
    ['no base URL', { baseUrl: undefined, apiKey: 'test_key' }],
    ['an empty base URL', { baseUrl: '', apiKey: 'test_key' }],
    ['a base URL without a scheme', { baseUrl: 'localhost:3000', apiKey: 'test_key' }],
    ['a base URL without a host', { baseUrl: 'https://', apiKey: 'test_key' }],
  ])('an SDK call with %s throws a TypeError and sends no request', async (_, options) => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      return json(200, {})
    }
    const error = await caught(createBillhook({ ...options, fetch }).getTestClock())
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(
      /^The (client needs a baseUrl and an apiKey\.|baseUrl \S+ is not a URL that begins with https:\/\/ or http:\/\/\.)$/,
    )
    expect(requests).toBe(0)
  })
})

describe('an error', () => {
  it('an SDK error contains the code, the fields, the request id, and the idempotency key', async () => {
    const errors = { 'products.0.id': ['The selected product does not exist.'] }
    const body = { code: 'validation_failed', message: 'Wrong.', requestId: 'r7', errors, details: { mode: 'test' } }
    const { billhook } = clientOf(json(422, body))
    const error = await caught(billhook.createCustomer({ email: 'a@b.example' }, { idempotencyKey: 'k' }))
    expect(error).toBeInstanceOf(BillhookError)
    expect(error).toMatchObject({
      name: 'BillhookError',
      message: 'Wrong. products.0.id: The selected product does not exist.',
      status: 422,
      code: 'validation_failed',
      errors,
      details: { mode: 'test' },
      requestId: 'r7',
      retryAfterMs: null,
      idempotencyKey: 'k',
    })
  })

  it.each([
    ['the page of a proxy', new Response('<h1>Moved</h1>', { status: 404 }), 404],
    ['a redirect', new Response(null, { status: 302, headers: { Location: '/' } }), 302],
    ['a page with status 200', new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }), 200],
  ])('the error code for %s is unexpected_response', async (_, response, status) => {
    const error = await caught(clientOf(response).billhook.getTestClock())
    expect(error).toMatchObject({ code: 'unexpected_response', status })
  })

  it('the error code is timeout if no response arrives in time', async () => {
    const fetch = (request: Request) =>
      new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
    const billhook = createBillhook({ baseUrl: 'https://pay.example', apiKey: 'test_key', fetch, timeoutMs: 5 })
    const error = await caught(billhook.createCustomer({ email: 'a@b.example' }, { maxRetries: 1 }))
    expect(error).toMatchObject({ code: 'timeout', status: null, idempotencyKey: expect.any(String) })
  })
})

describe('a retry', () => {
  it.each([
    ['a lost connection', new TypeError('fetch failed')],
    ['429 with Retry-After', refusal(429, 'rate_limited', { 'Retry-After': '0' })],
    ['500', refusal(500, 'internal')],
    ['503', refusal(503, 'unavailable', { 'Retry-After': '0' })],
    ['the page of a proxy with status 502', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['idempotency_in_progress', refusal(409, 'idempotency_in_progress', { 'Retry-After': '0' })],
  ])('an SDK call is retried after %s, with the same idempotency key and body', async (_, step) => {
    const { billhook, requests } = clientOf(step, json(201, { id: 'customer_1' }))
    expect(await billhook.createCustomer({ email: 'a@b.example' })).toEqual({ id: 'customer_1' })
    expect(requests).toHaveLength(2)
    expect(keysOf(requests).size).toBe(1)
    expect([...keysOf(requests)][0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(await Promise.all(requests.map((each) => each.json()))).toEqual([
      { email: 'a@b.example' },
      { email: 'a@b.example' },
    ])
  })

  it.each([
    ['a refusal', refusal(422, 'subscription_not_resumable'), 'subscription_not_resumable'],
    ['a conflict', refusal(409, 'idempotency_mismatch'), 'idempotency_mismatch'],
    ['a wrong key', refusal(401, 'unauthenticated'), 'unauthenticated'],
    ['a wait of an hour', refusal(429, 'too_many_charges', { 'Retry-After': '3600' }), 'too_many_charges'],
  ])('an SDK call is not retried after %s', async (_, response, code) => {
    const { billhook, requests } = clientOf(response)
    expect(await caught(billhook.resumeSubscription('subscription_1'))).toMatchObject({ code })
    expect(requests).toHaveLength(1)
  })

  it('a failed read is retried without an idempotency key', async () => {
    const { billhook, requests } = clientOf(refusal(500, 'internal'), json(200, { now: 'x' }))
    await billhook.getTestClock()
    expect([...keysOf(requests)]).toEqual([null])
  })

  it('an SDK call throws the last error after three retries', async () => {
    const steps = [1, 2, 3, 4].map((number) => json(500, { code: 'internal', message: `${number}`, requestId: 'r' }))
    const { billhook, requests } = clientOf(...steps)
    expect((await caught(billhook.getTestClock())).message).toBe('4')
    expect(requests).toHaveLength(4)
  })

  it('a retry waits for the time in Retry-After, plus up to a quarter of that time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      vi.mocked(Math.random).mockReturnValue(0.5)
      const { billhook, requests } = clientOf(refusal(503, 'unavailable', { 'Retry-After': '8' }), json(200, {}))
      const call = billhook.getTestClock()
      await vi.advanceTimersByTimeAsync(8_999)
      expect(requests).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(2)
      expect(requests).toHaveLength(2)
      await call
    } finally {
      vi.useRealTimers()
    }
  })

  it("an abort ends the call immediately, with the caller's abort reason", async () => {
    const stop = new AbortController()
    const { billhook, requests } = clientOf(refusal(503, 'unavailable', { 'Retry-After': '20' }))
    const call = caught(billhook.getTestClock({ signal: stop.signal }))
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    stop.abort(new Error('the visitor left'))
    expect((await call).message).toBe('the visitor left')
  })
})

describe('a list', () => {
  const page = (ids: string[], hasNext: boolean) => {
    const next = hasNext ? { href: 'https://other.example/v1/orders?x', type: 'application/json' } : null
    return json(200, { data: ids.map((id) => ({ id })), count: ids.length, links: { self: null, next, prev: null } })
  }

  it('awaiting a list reads one page', async () => {
    const { billhook, requests } = clientOf(page(['order_2', 'order_1'], true))
    const { data, count } = await billhook.listOrders({ customerId: 'customer_1', limit: 2 })
    expect([data.map(({ id }) => id), count]).toEqual([['order_2', 'order_1'], 2])
    expect(requests[0]?.url).toBe('https://pay.example/v1/orders?customerId=customer_1&limit=2')
  })

  it('`for await` reads every page of a list with the same filters, at the base URL of the client', async () => {
    const { billhook, requests } = clientOf(page(['order_3', 'order_2'], true), page(['order_1'], false))
    const ids: string[] = []
    for await (const { id } of billhook.listOrders({ status: 'paid' })) ids.push(id)
    expect(ids).toEqual(['order_3', 'order_2', 'order_1'])
    expect(requests.map(({ url }) => url)).toEqual([
      'https://pay.example/v1/orders?limit=100&status=paid',
      'https://pay.example/v1/orders?limit=100&status=paid&startingAfter=order_2',
    ])
  })

  it('`for await` reads no further page after a break', async () => {
    const { billhook, requests } = clientOf(page(['order_3', 'order_2'], true))
    for await (const { id } of billhook.listCustomerSubscriptions('customer_1')) if (id === 'order_3') break
    expect(requests).toHaveLength(1)
  })

  it('`for await` refuses a list with endingBefore', async () => {
    const { billhook } = clientOf()
    const first = billhook.listOrders({ endingBefore: 'order_1' })[Symbol.asyncIterator]().next()
    await expect(first).rejects.toThrow('use startingAfter')
  })
})
