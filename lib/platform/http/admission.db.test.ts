import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { POST as providerNotice } from '@/app/api/providers/[provider]/route.ts'
import { GET as listCustomers } from '@/app/v1/customers/route.ts'
import { createKey, revokeKey } from '../../modules/accounts/operations.ts'
import { type Listener, listen } from '../../server/listen.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { config } from '../config.ts'
import { authenticate } from './authentication.ts'
import { notRouted } from './keyless.ts'

let shop: Shop
let listener: Listener
let addresses = 0
let flooding: string

const ask = async (address: string, key?: string, path = '/v1/customers') => {
  const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
    headers: { 'x-client': address, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  })
  await response.arrayBuffer()
  return response
}
const asks = async (address: string, key?: string, path?: string) => (await ask(address, key, path)).status
const limitsOf = ({ headers }: Response) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name))
const invented = (n: number) => `test_${String(n).padStart(40, '0')}`
const aKey = () => createKey({ storefrontId: shop.storefrontId, testmode: true, scope: 'full' })
const flood = async () => {
  for (let n = 0; n < 10; n++) await ask(flooding)
}

// The clock is frozen. Otherwise, a rate limit could refill during the test on a slow machine.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  shop = await aShop()
  listener = await listen({
    port: 0,
    clientAddressHeader: 'x-client',
    baseUrl: config().publicBaseUrl,
    routes: [
      { path: '/v1/customers', methods: { GET: listCustomers } },
      { path: '/api/providers/[provider]', methods: { POST: providerNotice } },
    ],
    notRouted,
    pages: async (_, response) => {
      response.end()
    },
    report: () => undefined,
  })
})
beforeEach(() => {
  flooding = `203.0.113.${++addresses}`
  Object.assign(config(), { rateLimitAnonymous: 10, rateLimitNotices: 20, rateLimitTest: 0 })
})
afterAll(async () => {
  vi.useRealTimers()
  await listener.close(0)
})

describe('requests without a valid key', () => {
  it('requests without a valid key share one limit per address, which allows a burst of the whole limit', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) statuses.push(await asks(flooding, n % 2 ? invented(n) : undefined))
    expect(new Set(statuses)).toEqual(new Set([401]))
    const refused = await ask(flooding)
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '6',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
    })
    expect(await asks(flooding, invented(0))).toBe(429)
    expect(await asks(flooding, 'no key at all')).toBe(429)
    expect(await asks('203.0.113.250')).toBe(401)
  })

  it('requests without a valid key from one IPv6 /64 network share a limit', async () => {
    for (let n = 0; n < 10; n++) await ask(`2001:db8:0:7::${n}`)
    expect([await asks('2001:db8:0:7:ffff::1'), await asks('2001:db8:0:8::1')]).toEqual([429, 401])
  })

  it('requests without a valid key to an unknown path count toward the limit of the address', async () => {
    for (let n = 0; n < 10; n++) expect(await asks(flooding, undefined, `/v1/nothing/${n}`)).toBe(404)
    expect([await asks(flooding, undefined, '/v1/nothing'), await asks(flooding)]).toEqual([429, 429])
    expect(await asks(flooding, shop.testKey, '/v1/nothing')).toBe(404)
  })

  it('requests without a valid key are not limited if the limit is 0', async () => {
    Object.assign(config(), { rateLimitAnonymous: 0 })
    for (let n = 0; n < 30; n++) expect(await asks(flooding)).toBe(401)
    expect(await limitsOf(await ask(flooding))).toEqual([null, null, null])
  })
})

it('webhooks from payment providers have a separate rate limit', async () => {
  const notify = async () => {
    const path = '/api/providers/nobody'
    const headers = { 'x-client': flooding }
    return (await fetch(`http://127.0.0.1:${listener.port}${path}`, { method: 'POST', headers })).status
  }
  await flood()
  expect(await asks(flooding)).toBe(429)
  for (let n = 0; n < 20; n++) expect(await notify()).toBe(404)
  expect(await notify()).toBe(429)
})

describe('requests with a valid key', () => {
  it('a request with a valid, uncached key is accepted even if its address is over the limit', async () => {
    const [known, fresh] = [await aKey(), await aKey()]
    expect(await asks(flooding, known.key)).toBe(200)
    await flood()
    expect(await asks(flooding)).toBe(429)
    expect(await asks(flooding, known.key)).toBe(200)
    expect(await asks(flooding, fresh.key)).toBe(200)
  })

  it('a response has no rate limit headers if the limit of the key is 0', async () => {
    expect(limitsOf(await ask(flooding, shop.testKey))).toEqual([null, null, null])
    Object.assign(config(), { rateLimitTest: 60 })
    expect(limitsOf(await ask(flooding, (await aKey()).key))).toEqual(['60', '1', '1'])
  })

  it('requests with a valid key count toward the limit of the key, not of the address', async () => {
    for (let n = 0; n < 30; n++) await ask(flooding, shop.testKey)
    expect(await asks(flooding)).toBe(401)
    const { key } = await aKey()
    Object.assign(config(), { rateLimitTest: 60 })
    expect([await asks(flooding, key), await asks(flooding, key)]).toEqual([200, 200])
    const refused = await ask(flooding, key)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(refused.headers.get('ratelimit-limit')).toBe('60')
  })

  it('a request with a revoked key counts toward the limit of the address', async () => {
    const { key, keyId } = await aKey()
    await flood()
    expect(await asks(flooding, key)).toBe(200)
    await revokeKey({ keyId })
    vi.setSystemTime(Date.now() + 1_001)
    expect(await asks(flooding, key)).toBe(429)
  })
})

it('one query looks up the keys of many concurrent requests, and finds the one valid key among invalid keys', async () => {
  const { key } = await aKey()
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const flooded = [...Array.from({ length: 400 }, (_, n) => invented(n)), key].map((each) => `Bearer ${each}`)
  const keys = await Promise.all(flooded.map((each) => authenticate(each, () => false)))
  expect(keys.filter(Boolean)).toEqual([expect.objectContaining({ storefrontId: shop.storefrontId })])
  const texts = queries.mock.calls.map(([query]) => (query as unknown as { text: string }).text)
  expect(texts.filter((text) => /SELECT.*api_keys/is.test(text)).length).toBe(1)
  queries.mockRestore()
})
