import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { housekeeping } from '../../server/housekeeping.ts'
import { send } from '../../testing/api.ts'
import { aProduct, productBody } from '../../testing/factories.ts'
import { aGate } from '../../testing/gate.ts'
import { aShop, call, type Shop } from '../../testing/shop.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { endpoint } from './endpoint.ts'
import { type Route, route } from './route.ts'

let shop: Shop
let key: string
let keys = 0
let idempotencyKey: string
const bodyOf = (email: string) => ({ email, name: 'Ada' })

const post = (body: object, headers: Record<string, string> = {}) =>
  send('POST /v1/customers', { key, body, headers: { 'Idempotency-Key': idempotencyKey, ...headers } })

const customers = () => db().customers.count()
const replayed = (reply: { headers: Headers }) => reply.headers.get('Idempotent-Replayed')

const passed = (interval: string) =>
  db().$executeRawUnsafe(
    `UPDATE idempotency_keys SET created_at = created_at - interval '${interval}', leased_until = leased_until - interval '${interval}'`,
  )

let operation: (tx: Transaction, note: string) => Promise<unknown>

const noted: Route = route(
  endpoint({
    id: 'note',
    method: 'POST',
    path: '/v1/notes',
    scope: 'no_refunds',
    tag: 'Notes',
    summary: '',
    description: '',
    body: z.object({ note: z.string() }),
    responses: { 201: z.object({ note: z.string() }) },
    refuses: [],
  }),
  ({ context, body }) =>
    transact(context, async (tx) => {
      const { sql, now, newId, storefrontId, testmode } = tx
      const id = newId('customer_')
      await sql.customers.create({
        data: { id, storefront_id: storefrontId, testmode, email: `${id}@a.example`, created_at: now },
      })
      await operation(tx, body.note)
      return { note: body.note }
    }),
)

const note = (text: string) =>
  call(noted, 'POST', '/v1/notes', { key, body: { note: text }, headers: { 'Idempotency-Key': idempotencyKey } })

beforeAll(async () => {
  shop = await aShop()
  key = shop.testKey
})

beforeEach(async () => {
  idempotencyKey = `key-${++keys}`
  operation = async () => undefined
  await db().customers.deleteMany()
})

describe('retries with the same idempotency key', () => {
  it('a retry with the same idempotency key gets the stored response and executes nothing', async () => {
    const first = await post(bodyOf('ada@a.example'))
    const second = await post(bodyOf('ada@a.example'))
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([201, null, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect(await customers()).toBe(1)
  })

  it('a retry gets the original response, even if the resource has changed since', async () => {
    const first = await post(bodyOf('ada@a.example'))
    await send(`PATCH /v1/customers/${first.body.id}`, { key, body: { name: 'Countess' } })
    expect((await post(bodyOf('ada@a.example'))).body.name).toBe('Ada')
  })

  it('a retry gets no body if the first response had no body', async () => {
    const product = await aProduct(key)
    const archive = () =>
      send(`POST /v1/one-off-products/${product.id}/archive`, { key, headers: { 'Idempotency-Key': idempotencyKey } })
    expect([(await archive()).status, replayed(await archive())]).toEqual([204, 'true'])
  })

  it('one of a hundred concurrent retries runs the operation, and the other retries get the stored response or Retry-After', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => note('a')))
    expect(await customers()).toBe(1)
    expect(new Set(replies.map(({ status }) => status))).toEqual(
      new Set(replies.some(({ status }) => status === 409) ? [201, 409] : [201]),
    )
    expect(replies.filter((reply) => reply.status === 201 && replayed(reply) === null).length).toBe(1)
    for (const { status, body, headers } of replies) {
      if (status === 201) expect(body).toEqual({ note: 'a' })
      else expect([body.code, headers.get('Retry-After')]).toEqual(['idempotency_in_progress', '1'])
    }
    expect(replayed(await note('a'))).toBe('true')
  })

  it('a retry gets 409 with Retry-After: 1 until the first request has finished', async () => {
    const [reached, proceed] = [aGate(), aGate()]
    operation = async () => {
      reached.open()
      await proceed.opened
    }
    const first = note('a')
    await reached.opened
    const second = await note('a')
    expect([second.status, second.body.code, second.headers.get('Retry-After')]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ])
    proceed.open()
    expect((await first).status).toBe(201)
    expect(replayed(await note('a'))).toBe('true')
    expect(await customers()).toBe(1)
  })
})

describe('different requests with the same idempotency key', () => {
  let headers: Record<string, string>
  beforeEach(() => {
    headers = { 'Idempotency-Key': idempotencyKey }
  })

  it.each([
    ['another body', 'POST /v1/customers', bodyOf('eve@a.example')],
    ['the same body in another order', 'POST /v1/customers', { name: 'Ada', email: 'ada@a.example' }],
    ['another query', 'POST /v1/customers?a=1', bodyOf('ada@a.example')],
  ])('a request with %s and a used idempotency key is refused and not executed', async (_, line, body) => {
    await post(bodyOf('ada@a.example'))
    const reply = await send(line, { key, body, headers })
    expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_mismatch'])
    expect(await customers()).toBe(1)
  })

  it('a request for another resource with a used idempotency key is refused and not executed', async () => {
    const [a, b] = [
      await post(bodyOf('a@a.example'), { 'Idempotency-Key': 'a' }),
      await post(bodyOf('b@a.example'), { 'Idempotency-Key': 'b' }),
    ]
    await send(`PATCH /v1/customers/${a.body.id}`, { key, body: { name: 'New' }, headers })
    const reply = await send(`PATCH /v1/customers/${b.body.id}`, { key, body: { name: 'New' }, headers })
    expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_mismatch'])
    expect((await send(`GET /v1/customers/${b.body.id}`, { key })).body.name).toBe('Ada')
  })

  it('a different request with the same idempotency key is refused while the first request runs', async () => {
    const [reached, proceed] = [aGate(), aGate()]
    operation = async () => {
      reached.open()
      await proceed.opened
    }
    const first = note('a')
    await reached.opened
    expect((await note('b')).body.code).toBe('idempotency_mismatch')
    proceed.open()
    await first
  })
})

describe('idempotency keys', () => {
  it('an idempotency key is scoped to storefront, mode, method and route', async () => {
    const headers = { 'Idempotency-Key': idempotencyKey }
    const other = await aShop({ name: 'Another one' })
    const body = productBody()
    const made = await send('POST /v1/one-off-products', { key, body, headers })
    const replies = [
      made,
      await send('POST /v1/one-off-products', { key: shop.liveKey, body, headers }),
      await send('POST /v1/one-off-products', { key: other.testKey, body, headers }),
      await send(`PATCH /v1/one-off-products/${made.body.id}`, { key, body, headers }),
      await send(`POST /v1/one-off-products/${made.body.id}/archive`, { key, headers }),
      await send(`DELETE /v1/one-off-products/${made.body.id}/archive`, { key, headers }),
    ]
    expect(replies.map((reply) => [reply.status, replayed(reply)])).toEqual(
      [201, 201, 201, 200, 204, 200].map((status) => [status, null]),
    )
  })

  it.each(['a'.repeat(255), '!', '~', 'a/b?c=d&e', '"quoted"'])('an idempotency key may be %j', async (each) => {
    expect((await post(bodyOf('ada@a.example'), { 'Idempotency-Key': each })).status).toBe(201)
  })

  it.each(['', 'a'.repeat(256), 'a b', 'caf\u00e9'])('an idempotency key may not be %j', async (each) => {
    const reply = await post(bodyOf('ada@a.example'), { 'Idempotency-Key': each })
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, ['Idempotency-Key']])
    expect(await customers()).toBe(0)
  })

  it('an idempotency key is ignored on GET', async () => {
    const list = () => send('GET /v1/customers', { key, headers: { 'Idempotency-Key': 'not a key' } })
    const before = await list()
    await post(bodyOf('ada@a.example'))
    expect([before.body.count, (await list()).body.count]).toEqual([0, 1])
  })

  it('an idempotency key expires after 24 hours and can then be used again', async () => {
    await post(bodyOf('ada@a.example'))
    await passed('23 hours 59 minutes')
    expect(replayed(await post(bodyOf('ada@a.example')))).toBe('true')
    expect((await post(bodyOf('eve@a.example'))).body.code).toBe('idempotency_mismatch')
    await passed('1 minute')
    const retried = await post(bodyOf('eve@a.example'))
    expect([retried.status, replayed(retried)]).toEqual([201, null])
    await housekeeping()
    expect(replayed(await post(bodyOf('eve@a.example')))).toBe('true')
    await passed('25 hours')
    await housekeeping()
    expect(await db().idempotency_keys.count()).toBe(0)
  })
})

describe('stored responses', () => {
  it('a refusal by a business rule is stored, and a retry gets the same response', async () => {
    operation = () => Promise.reject(new Refusal('subscription_not_resumable'))
    const first = await note('a')
    operation = async () => undefined
    const second = await note('a')
    expect([first.status, second.status, replayed(second)]).toEqual([422, 422, 'true'])
    expect(second.body).toEqual(first.body)
    expect(first.body.requestId).toBe(first.headers.get('Request-Id'))
  })

  it('a retry gets the stored 404 even if the resource exists now', async () => {
    const patch = (id: string) =>
      send(`PATCH /v1/customers/${id}`, { key, body: { name: 'New' }, headers: { 'Idempotency-Key': idempotencyKey } })
    expect((await patch('customer_0000000000000000000001')).status).toBe(404)
    expect(replayed(await patch('customer_0000000000000000000001'))).toBe('true')
  })
})

describe('responses that are not stored', () => {
  const json = { 'content-type': 'application/json' }
  const cases: [number, () => Promise<{ status: number }>][] = [
    [
      400,
      () =>
        send('POST /v1/customers', { key, body: '{"email":', headers: { ...json, 'Idempotency-Key': idempotencyKey } }),
    ],
    [
      400,
      () => send('POST /v1/customers', { key, body: '[]', headers: { ...json, 'Idempotency-Key': idempotencyKey } }),
    ],
    [
      401,
      () =>
        send('POST /v1/customers', {
          key: `test_${'0'.repeat(40)}`,
          body: bodyOf('ada@a.example'),
          headers: { 'Idempotency-Key': idempotencyKey },
        }),
    ],
    [413, () => post({ ...bodyOf('ada@a.example'), note: 'a'.repeat(1_100_000) })],
    [
      415,
      () =>
        send('POST /v1/customers', {
          key,
          body: JSON.stringify(bodyOf('ada@a.example')),
          headers: { 'content-type': 'text/plain', 'Idempotency-Key': idempotencyKey },
        }),
    ],
    [422, () => post({ name: 'Nobody' })],
    [422, () => post({ ...bodyOf('ada@a.example'), metadata: { '\u0000': 1 } })],
    [422, () => post(bodyOf('ada@localhost'))],
  ]

  it.each(cases)(
    'after a response with status %i, the idempotency key can be used for a corrected request',
    async (status, wrong) => {
      expect((await wrong()).status).toBe(status)
      const right = await post(bodyOf('ada@a.example'))
      expect([right.status, replayed(right)]).toEqual([201, null])
    },
  )

  it('after a 422 on a field, the corrected body may use the same idempotency key', async () => {
    operation = () => Promise.reject(invalid('note', 'Must be another one.'))
    const wrong = await note('a')
    expect([wrong.status, wrong.body.errors, await customers()]).toEqual([422, { note: ['Must be another one.'] }, 0])
    operation = async () => undefined
    const right = await note('b')
    expect([right.status, replayed(right), replayed(await note('b'))]).toEqual([201, null, 'true'])
  })

  it('if a live key calls a test helper, the 403 response is not stored under the idempotency key', async () => {
    const headers = { 'Idempotency-Key': idempotencyKey }
    expect(
      (await send('POST /v1/test-helpers/clock/advance', { key: shop.liveKey, body: { by: 'PT1S' }, headers })).status,
    ).toBe(403)
    expect(await db().idempotency_keys.count({ where: { key: idempotencyKey } })).toBe(0)
  })

  it('a request changes nothing if it fails with 500, and a retry is executed', async () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    operation = () => Promise.reject(new Error('a bug'))
    expect((await note('a')).status).toBe(500)
    expect(await customers()).toBe(0)
    expect(await db().idempotency_keys.count({ where: { key: idempotencyKey } })).toBe(0)
    operation = async () => undefined
    const retry = await note('a')
    expect([retry.status, replayed(retry)]).toEqual([201, null])
    expect(JSON.stringify(logged.mock.calls)).not.toContain(key)
    logged.mockRestore()
  })
})
