import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { send } from '../../testing/api.ts'
import { killedAt, moments } from '../../testing/crash.ts'
import { aGate } from '../../testing/gate.ts'
import { aShop, call } from '../../testing/shop.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { endpoint } from './endpoint.ts'
import { type Route, route } from './route.ts'

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
  key = (await aShop()).testKey
})

beforeEach(async () => {
  idempotencyKey = `key-${++keys}`
  operation = async () => undefined
  await db().customers.deleteMany()
})

describe('requests in progress', () => {
  const leftMs = async () => {
    const [row] = await db().$queryRaw<{ left: number }[]>`
      SELECT extract(epoch FROM leased_until - clock_timestamp())::float8 * 1000 AS left FROM idempotency_keys WHERE key = ${idempotencyKey}`
    return row?.left ?? 0
  }

  it('a slow request renews the lease of its idempotency key', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const [reached, proceed] = [aGate(), aGate()]
    operation = async () => {
      reached.open()
      await proceed.opened
    }
    const slow = note('a')
    await reached.opened
    for (let turn = 0; turn < 3; turn++) {
      expect(await leftMs()).toBeLessThanOrEqual(10_000)
      await passed('20 seconds')
      vi.advanceTimersByTime(2_000)
      await expect.poll(leftMs).toBeGreaterThan(0)
      expect((await note('a')).body.code).toBe('idempotency_in_progress')
    }
    proceed.open()
    expect((await slow).status).toBe(201)
    expect(replayed(await note('a'))).toBe('true')
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('a slow request changes nothing after a retry takes over its idempotency key, even if the slow request ends first', async () => {
    // The fake timers prevent the renewal of the lease.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const calls = [1, 2].map(() => ({ reached: aGate(), proceed: aGate() }))
    let begun = 0
    operation = async () => {
      const call = calls[begun++]
      call?.reached.open()
      await call?.proceed.opened
    }
    const slow = note('a')
    await calls[0]?.reached.opened
    await passed('10 seconds')
    const second = note('a')
    await calls[1]?.reached.opened
    calls[0]?.proceed.open()
    expect((await slow).body.code).toBe('idempotency_in_progress')
    calls[1]?.proceed.open()
    expect((await second).status).toBe(201)
    expect(await customers()).toBe(1)
    expect(replayed(await note('a'))).toBe('true')
    vi.useRealTimers()
  })
})

describe('broken database connections', () => {
  /** Cuts the connection after the next matching query is sent and before the result arrives. */
  const cutAt = (pattern: RegExp) => {
    const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
    let isComing = true
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const answer = original.apply(this, args)
      const [query] = args as [{ text?: string }]
      if (isComing && pattern.test(query.text ?? String(query))) {
        isComing = false
        ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
      }
      return answer as never
    })
  }

  it.each([
    ['during COMMIT', /^COMMIT/],
    ['while the request claims its key', /INSERT INTO idempotency_keys/],
    ['while the request writes', /INSERT INTO "customers"/],
    ['while the request stores its response', /UPDATE idempotency_keys/],
  ])(
    'the response is 503 if the database connection breaks %s, and a retry succeeds immediately',
    async (_, pattern) => {
      const logged = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
      cutAt(pattern)
      const broken = await note('a')
      expect([broken.status, broken.body.code, broken.headers.get('Retry-After')]).toEqual([503, 'unavailable', '1'])
      expect(broken.body.message).not.toMatch(/chang|nothing/i)
      vi.restoreAllMocks()
      const retry = await note('a')
      expect([retry.status, retry.body, await customers()]).toEqual([201, { note: 'a' }, 1])
      logged.mockRestore()
    },
  )

  it('an idempotency key is free after a broken connection, even if releasing the key fails', async () => {
    const logged = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
    operation = () => {
      vi.spyOn(pg.Pool.prototype, 'connect').mockRejectedValue(new Error('timeout exceeded when trying to connect'))
      vi.spyOn(pg.Pool.prototype, 'query').mockRejectedValue(new Error('timeout exceeded when trying to connect'))
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    }
    expect((await note('a')).status).toBe(503)
    vi.restoreAllMocks()
    operation = async () => undefined
    expect((await note('a')).status).toBe(201)
    expect(await customers()).toBe(1)
    logged.mockRestore()
  })
})

describe('killed processes', () => {
  it('after the lease of a killed process ends, only a retry of the same request can use the idempotency key', async () => {
    expect(await killedAt(4, 'before', () => note('a'))).toBe(true)
    expect((await note('a')).body.code).toBe('idempotency_in_progress')
    await passed('10 seconds')
    expect((await note('b')).body.code).toBe('idempotency_mismatch')
    expect((await note('a')).status).toBe(201)
    expect(await customers()).toBe(1)
  })

  it.each(moments)(
    'if the process is killed %s any query of a request, the request and its retry together make exactly one change',
    async (moment) => {
      let n = 1
      for (let killed = true; killed; n++) {
        idempotencyKey = `${moment} ${n}`.replace(' ', '-')
        await db().customers.deleteMany()
        killed = await killedAt(n, moment, () => note('a'))
        await passed('10 seconds')
        const retry = await note('a')
        expect([n, retry.status, retry.body, await customers()]).toEqual([n, 201, { note: 'a' }, 1])
      }
      expect(n).toBeGreaterThan(6)
    },
  )
})

describe('logs', () => {
  it('the log contains neither the API key nor the body nor the response of a request', async () => {
    const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation(() => undefined),
    )
    await post(bodyOf('ada@a.example'))
    operation = () => Promise.reject(new Error('a bug'))
    await note('my secret note')
    const logged = JSON.stringify(spies.flatMap((spy) => spy.mock.calls))
    expect(logged).toContain('a bug')
    for (const secret of [key, key.slice(5), 'ada@', 'secret note', idempotencyKey])
      expect(logged).not.toContain(secret)
    vi.restoreAllMocks()
  })
})
