import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyScope, keyScopes } from '@/lib/kernel/key-scope.ts'
import { createKey, type IssuedKey, rotateKey } from '@/lib/modules/accounts/operations.ts'
import type { Tenant } from '@/lib/platform/clock/clock.ts'
import { config } from '@/lib/platform/config.ts'
import { db } from '@/lib/platform/db/db.ts'
import { authenticate } from '@/lib/platform/http/authentication.ts'
import { allRows } from '@/lib/testing/all-rows.ts'
import { endpoints, send } from '@/lib/testing/api.ts'
import { price } from '@/lib/testing/factories.ts'
import { aWorld, type Noun, type World } from '@/lib/testing/world.ts'

let world: World
let tenant: Tenant
let keys: Record<KeyScope, IssuedKey>
beforeAll(async () => {
  world = await aWorld()
  const customer = await db().customers.findUniqueOrThrow({ where: { id: world.ids.customer } })
  tenant = { storefrontId: customer.storefront_id, testmode: true }
  const issue = (scope: KeyScope) => createKey({ ...tenant, scope })
  keys = { full: await issue('full'), no_refunds: await issue('no_refunds'), read_only: await issue('read_only') }
})
afterAll(() => world.close())

const nounOf: Readonly<Record<string, Noun>> = {
  refundId: 'refund',
  chargebackId: 'chargeback',
  subscriptionId: 'subscription',
  'subscription-plans': 'plan',
  'one-off-products': 'product',
  customers: 'customer',
  orders: 'sale',
  refunds: 'refund',
  chargebacks: 'chargeback',
  'webhook-events': 'event',
  checkouts: 'checkout',
  'payment-links': 'paymentLink',
  subscriptions: 'subscription',
  'webhook-endpoints': 'webhook',
}

const filled = (at: string): string =>
  at.replace(/([\w-]+)\/\[(\w+)\]/g, (_, folder: string, name: string) => {
    const noun = nounOf[name === 'id' ? folder : name]
    if (!noun) throw new Error(`no resource for ${name} in ${at}`)
    return `${folder}/${world.ids[noun]}`
  })

const ofRefunds = [
  'POST /v1/orders/[id]/refunds',
  'POST /v1/orders/[id]/refunds/full',
  'DELETE /v1/orders/[id]/refunds/[refundId]',
]
const mayUse = (scope: KeyScope, at: string): boolean =>
  scope === 'full' ||
  (scope === 'no_refunds' ? !ofRefunds.includes(at) : at.startsWith('GET ') || at.endsWith('/preview'))
const sentences: Readonly<Record<KeyScope, string>> = {
  full: 'This operation needs an API key with the scope full. This key has the scope ',
  no_refunds: 'This operation needs an API key with the scope no_refunds or full. This key has the scope ',
  read_only: '',
}

describe.each(keyScopes)('the scope %s limits the calls of a key', (scope) => {
  const all = [...endpoints.keys()]
  const [allowed, refused] = [all.filter((at) => mayUse(scope, at)), all.filter((at) => !mayUse(scope, at))]

  test.each(refused)(`a key with the scope ${scope} gets 403 for %s with any body, and nothing changes`, async (at) => {
    const before = await allRows()
    const idempotencyKeys = await db().idempotency_keys.count()
    const needed = endpoints.get(at)?.scope ?? 'read_only'
    for (const body of [undefined, {}, '{']) {
      const headers = { 'idempotency-key': `${scope} ${at}`.replaceAll(' ', '_') }
      expect(await send(filled(at), { key: keys[scope].key, body, headers })).toMatchObject({
        status: 403,
        body: {
          code: 'insufficient_scope',
          message: `${sentences[needed]}${scope}.`,
          details: { neededScope: needed, scope },
        },
      })
    }
    expect(await allRows()).toEqual(before)
    expect(await db().idempotency_keys.count()).toBe(idempotencyKeys)
  })

  test.each(allowed.filter((at) => at.startsWith('GET ')))(`a key with the scope ${scope} can call %s`, async (at) => {
    expect((await send(filled(at), { key: keys[scope].key })).status).toBe(200)
  })
})

describe('a refusal for the scope', () => {
  test.each([
    ['read_only', 'no_refunds', 'POST /v1/customers', () => ({ email: 'scope@example.com' })],
    [
      'no_refunds',
      'full',
      'POST /v1/orders/[id]/refunds',
      () => ({ items: [{ itemId: world.ids.saleLine, amount: price('0.10') }] }),
    ],
  ] as const)(
    'after a refusal for an API key with the scope %s, an API key with the scope %s can repeat %s with the same Idempotency-Key',
    async (narrow, wide, at, bodyOf) => {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const ask = (scope: KeyScope) => send(filled(at), { key: keys[scope].key, body: bodyOf(), headers })
      expect((await ask(narrow)).body.code).toBe('insufficient_scope')
      const done = await ask(wide)
      expect([done.status, done.headers.get('Idempotent-Replayed')]).toEqual([201, null])
      expect((await ask(narrow)).body.code).toBe('insufficient_scope')
      expect((await ask(wide)).headers.get('Idempotent-Replayed')).toBe('true')
    },
  )

  test('a call that is refused for the scope of its API key still counts toward the rate limit of the key', async () => {
    const { rateLimitTest } = config()
    Object.assign(config(), { rateLimitTest: 60 })
    try {
      const { key } = await createKey({ ...tenant, scope: 'read_only' })
      const ask = async () => (await send('POST /v1/customers', { key, body: { email: 'ada@example.com' } })).status
      const statuses = [await ask(), await ask(), await ask()]
      expect(statuses).toEqual([403, 403, 429])
    } finally {
      Object.assign(config(), { rateLimitTest })
    }
  })
})

test('a rotated key keeps its scope', async () => {
  const old = await createKey({ ...tenant, scope: 'read_only' })
  const { key, scope } = await rotateKey({ keyId: old.keyId })
  expect(scope).toBe('read_only')
  expect((await send('GET /v1/customers', { key })).status).toBe(200)
  expect((await send('POST /v1/customers', { key, body: {} })).body.code).toBe('insufficient_scope')
})

test('the batched lookup of API keys includes the scope of each key', async () => {
  const { key } = await createKey({ ...tenant, scope: 'no_refunds' })
  expect(await authenticate(`Bearer ${key}`, () => false)).toMatchObject({ scope: 'no_refunds' })
})

// These tests run last, because some operations delete rows that the other tests read.
describe.each(['no_refunds', 'full'] as const)('the scope %s permits writes', (scope) => {
  const writes = [...endpoints.keys()].filter((at) => !at.startsWith('GET ') && mayUse(scope, at))
  test.each(writes)(`%s never refuses a key with the scope ${scope} because of the scope`, async (at) => {
    const { status, body } = await send(filled(at), { key: keys[scope].key, body: {} })
    expect([401, 403], JSON.stringify(body)).not.toContain(status)
  })
})
