import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, revokeKey, rotateKey } from '@/lib/modules/accounts/operations.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { endpoints, send } from '@/lib/testing/api.ts'
import * as kind from '@/lib/testing/bad-values.ts'
import { configure } from '@/lib/testing/configure.ts'
import { aCustomer } from '@/lib/testing/factories.ts'
import { aShop, type Shop } from '@/lib/testing/shop.ts'

let shop: Shop
let key: string
beforeAll(async () => {
  shop = await aShop()
  key = shop.testKey
})

describe('a path', () => {
  const methodsOf = new Map<string, string[]>()
  for (const { method, path } of endpoints.values()) methodsOf.set(path, [...(methodsOf.get(path) ?? []), method])

  test.each([...methodsOf])(
    'the path %s refuses unsupported methods with 405, and the Allow header lists the methods %j',
    async (path, taken) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (name) => !taken.includes(name),
      )) {
        const { status, headers, body } = await send(`${method} ${path.replace(/{\w+}/g, 'x')}`, { key })
        expect({ status, code: body.code }).toEqual({ status: 405, code: 'method_not_allowed' })
        const allowed = headers
          .get('Allow')
          ?.split(', ')
          .filter((name) => name !== 'HEAD')
        expect(allowed?.sort()).toEqual([...taken].sort())
      }
    },
  )

  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/customers/',
    '/v1//customers',
    '/v2/customers',
    '/v1/Customers',
    '/v1/customers/a/b/c',
  ])('the path %s is not found', async (path) => {
    const { status, body } = await send(`GET ${path}`, { key })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'endpoint_not_found' })
    expect(body.message).toMatch(/endpoint does not exist/)
    expect(body.details).toEqual({ openapi: 'http://billhook.test/v1/openapi.json' })
  })
})

describe('a key', () => {
  const as = (token: string, scheme = 'Bearer') =>
    send('GET /v1/customers', { headers: { authorization: `${scheme} ${token}` } })

  test('an API key is refused after a revocation, an expiry, or a rotation', async () => {
    const { storefrontId } = shop
    expect((await as(key)).status).toBe(200)
    const revoked = await createKey({ storefrontId, testmode: true, scope: 'full' })
    await revokeKey({ keyId: revoked.keyId })
    const expired = await createKey({ storefrontId, testmode: true, scope: 'full', expiresInMs: -1 })
    const rotated = await createKey({ storefrontId, testmode: false, scope: 'full' })
    const next = await rotateKey({ keyId: rotated.keyId }, 0)
    for (const dead of [revoked, expired, rotated]) {
      const { status, headers } = await as(dead.key)
      expect({ status, asks: headers.get('WWW-Authenticate') }).toEqual({ status: 401, asks: 'Bearer' })
    }
    expect((await as(next.key)).status).toBe(200)
    expect((await as(key, 'bearer')).status).toBe(200)
  })

  test('the API key decides the mode of the resources that a request creates and reads', async () => {
    const email = 'mode@example.com'
    const ids = new Map<string, string>()
    for (const [testmode, token] of [
      [true, shop.testKey],
      [false, shop.liveKey],
    ] as const) {
      const { status, body } = await send('POST /v1/customers', { key: token, body: { email, testmode: !testmode } })
      expect([status, body.testmode]).toEqual([201, testmode])
      ids.set(token, body.id)
    }
    for (const [token, own] of ids)
      for (const id of ids.values())
        expect((await send(`GET /v1/customers/${id}`, { key: token })).status).toBe(id === own ? 200 : 404)
  })

  test('a live key cannot read or advance the test clock', async () => {
    const live = { key: shop.liveKey }
    const before = await allRows()
    for (const line of ['GET /v1/test-helpers/clock', 'POST /v1/test-helpers/clock/advance']) {
      expect(await send(line, live)).toMatchObject({ status: 403, body: { code: 'test_mode_only' } })
    }
    expect(await allRows()).toEqual(before)
  })
})

describe('a body', () => {
  const body = JSON.stringify({ email: 'coded@example.com' })
  const sent = (headers: Record<string, string>) =>
    send('POST /v1/customers', { key, body, headers: { 'content-type': 'application/json', ...headers } })

  // biome-ignore format: one line of headers that say another charset or coding
  const others = [...['iso-8859-1', 'utf-16', '"latin1"', 'us-ascii', 'nothing', ''].map((charset) => ({ 'content-type': `application/json; charset=${charset}` })),
    { 'content-type': 'application/json; charset=utf-8; charset=utf-16' }, ...['gzip', 'br', 'deflate', 'identity, gzip', 'nothing'].map((coding) => ({ 'content-encoding': coding }))]
  test.each(others)('a request body with the headers %j is refused', async (headers) => {
    expect(await sent(headers)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  test.each([
    { 'content-type': 'application/json;charset=UTF-8' },
    { 'content-type': 'Application/JSON; Charset="utf-8"; profile=x' },
    { 'content-type': 'application/vnd.api+json; charset=utf8' },
    { 'content-encoding': 'identity' },
    { 'content-encoding': '' },
    { 'content-encoding': ' Identity ' },
  ])('a request body with the headers %j is accepted', async (headers) => {
    expect((await sent(headers)).status).toBeLessThan(300)
  })

  test('the content headers of a request without a body are ignored', async () => {
    const { id } = (await sent({})).body
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain; charset=utf-16' }
    expect((await send(`GET /v1/customers/${id}`, { key, headers })).status).toBe(200)
  })
})

test('the OpenAPI document needs no API key, and its response has a request id and rate-limit headers', async () => {
  const { GET } = await import('./openapi.json/route.ts')
  configure({ RATE_LIMIT_ANONYMOUS: '300' })
  const ask = (headers: Record<string, string>) => GET(new Request('http://a.example/v1/openapi.json', { headers }))
  const first = await ask({})
  expect(await first.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://billhook.test' }] })
  expect(first.headers.get('Request-Id')).toMatch(/^request_/)
  expect(first.headers.get('RateLimit-Limit')).toMatch(/^\d+$/)
  const again = await ask({ 'if-none-match': first.headers.get('ETag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  configure({ RATE_LIMIT_ANONYMOUS: '0' })
  expect((await ask({})).headers.has('RateLimit-Limit')).toBe(false)
})

describe('the clock', () => {
  const advance = (body: unknown) => send('POST /v1/test-helpers/clock/advance', { key, body })

  test('the test clock advances to a time or by a duration, and later resources are created at the new time', async () => {
    const { testKey } = await aShop()
    const move = (body: object) => send('POST /v1/test-helpers/clock/advance', { key: testKey, body })
    expect(await move({ to: '2127-01-31T00:00:00Z' })).toMatchObject({
      status: 200,
      body: { now: expect.stringMatching(/^2127-01-31T00:00:0\dZ$/), ran: 0, remaining: 0 },
    })
    expect((await move({ by: 'P1M' })).body.now).toMatch(/^2127-02-28T00:00:/)
    expect((await aCustomer(testKey)).createdAt).toMatch(/^2127-02-28T00:00:/)
    expect((await send('GET /v1/test-helpers/clock', { key: testKey })).body.now).toMatch(/^2127-02-28T00:00:/)
    expect((await aCustomer(key)).createdAt).not.toMatch(/^2127/)
  })

  test('the test clock refuses an invalid time, a past time, and a time beyond the limit', async () => {
    const before = await allRows()
    for (const { value, says = '' } of kind.moment.bad) {
      const { status, body } = await advance({ to: value })
      expect(status, JSON.stringify(value)).toBe(422)
      expect(body.errors).toEqual({ to: [expect.stringContaining(says)] })
    }
    expect(await allRows()).toEqual(before)
  })

  test('an advance of the test clock requires either a time or a duration, but not both', async () => {
    const before = await allRows()
    const sentence = 'Send either by (a duration) or to (a moment).'
    for (const body of [undefined, {}, { by: 'P1D', to: '2127-01-31T00:00:00Z' }]) {
      expect(await advance(body)).toMatchObject({ status: 422, body: { errors: { by: [sentence] } } })
    }
    expect(await allRows()).toEqual(before)
  })
})

describe('an idempotency key', () => {
  const create = (body: string, idempotencyKey: string) =>
    send('POST /v1/customers', { key, body, headers: { 'idempotency-key': idempotencyKey } })

  test('repeating a refused request with its idempotency key returns the same refusal', async () => {
    const resume = () =>
      send('POST /v1/subscriptions/subscription_0000000000000000000001/resume', {
        key,
        headers: { 'idempotency-key': 'refused' },
      })
    const first = await resume()
    expect(first).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const again = await resume()
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  test('an idempotency key can be used again after a request was refused for an invalid body', async () => {
    const body = '{"email":"ada@example.com","metadata":{"a\\u0000":1,"\\ud800":1,"__proto__":null}}'
    for (let turn = 0; turn < 2; turn++) {
      const refused = await create(body, 'corrected')
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(Object.keys(refused.body.errors)).toEqual(['metadata.a\u0000', 'metadata.\ud800', 'metadata.__proto__'])
      expect(refused.headers.get('Idempotent-Replayed')).toBeNull()
    }
    expect((await create('{"email":"ada@example.com"}', 'corrected')).status).toBe(201)
  })

  test.each(['x', '!~', 'k'.repeat(255), '"quoted"', 'a,b'])(
    'the idempotency key %s is accepted',
    async (idempotencyKey) => {
      const body = `{"email":"${idempotencyKey.length}-${idempotencyKey.charCodeAt(0)}@example.com"}`
      const first = await create(body, idempotencyKey)
      expect(first.status).toBe(201)
      expect(await create(body, idempotencyKey)).toMatchObject({ status: 201, body: first.body })
    },
  )
})
