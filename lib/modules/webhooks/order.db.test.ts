import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { tasks } from '../../server/jobs.ts'
import { barrier } from '../../testing/barrier.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { type Answer, answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { register } from './operations.ts'

/** These tests use the real worker and real receivers. */

deliverPatiently()

type Receiver = Awaited<ReturnType<typeof aReceiver>>
let shop: Shop
const receivers: Receiver[] = []

async function anEndpoint(answer: Answer = answered(200), scope: Tenant = shop.scope): Promise<Receiver> {
  const receiver = await aReceiver()
  receivers.push(receiver)
  await register(scope, { url: receiver.url, secret: 'whsec_0123456789' })
  receiver.answer = answer
  return receiver
}
const emit = (...orders: string[]) =>
  transact(shop.scope, async (tx) => {
    for (const id of orders) await tx.emit({ name: 'order.paid', object: { id } })
  })
/** The events of one call are independent, so that no event waits for another event. */
const emitIndependent = (...orders: string[]) =>
  transact(shop.scope, (tx) => tx.emitAll(orders.map((id) => ({ name: 'order.paid', object: { id } }))))
const arrived = (receiver: Receiver): string[] => receiver.events().map(({ body }) => body.entityId)
const start = () => startWorker(tasks.runner, tasks.embedded)
const pending = () => db().deliveries.count({ where: { status: 'pending', storefront_id: shop.storefrontId } })
beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await stopWorker()
})

describe('first attempts', () => {
  it('first webhook attempts start in the order of their events, at most 32 concurrently', async () => {
    const { open, opened } = aGate()
    const receiver = await anEndpoint((response) => opened.then(() => response.end()))
    const orders = Array.from({ length: 40 }, (_, n) => `order ${String(n).padStart(2, '0')}`)
    await emitIndependent(...orders)
    start()
    await expect.poll(() => arrived(receiver).length).toBe(32)
    expect(arrived(receiver).sort()).toEqual(orders.slice(0, 32))
    open()
    await expect.poll(pending).toBe(0)
    expect(arrived(receiver).sort()).toEqual(orders)
    expect(receiver.mostAtOnce).toBe(32)
  })

  it('first webhook attempts run one after another for each entity, and concurrently for up to 32 entities', async () => {
    const { open, opened } = aGate()
    const under = new Map<string, number>()
    let most = 0
    const receiver = await anEndpoint((response, { body: { entityId } }, n) => {
      under.set(entityId, (under.get(entityId) ?? 0) + 1)
      most = Math.max(most, under.get(entityId) ?? 0)
      response.on('close', () => under.set(entityId, (under.get(entityId) ?? 0) - 1))
      return n <= 32 ? opened.then(() => response.end()) : response.end()
    })
    const orders = Array.from({ length: 32 }, (_, n) => `order ${n}`)
    for (let round = 0; round < 4; round++) await emitIndependent(...orders)
    start()
    await expect.poll(() => arrived(receiver).length).toBe(32)
    open()
    await expect.poll(pending).toBe(0)
    expect(receiver.events().length).toBe(4 * 32)
    for (const order of orders) {
      const ids = receiver.events().flatMap(({ body }) => (body.entityId === order ? [body.id] : []))
      expect(ids).toEqual([...ids].sort())
    }
    expect(most).toBe(1)
    expect(receiver.mostAtOnce).toBe(32)
  })

  it('the first webhook attempts for the events of one transaction run one after another', async () => {
    const receiver = await anEndpoint()
    const orders = ['checkout', 'subscription a', 'subscription b', 'order']
    await emit(...orders)
    start()
    await expect.poll(pending).toBe(0)
    expect(arrived(receiver)).toEqual(orders)
    expect(receiver.mostAtOnce).toBe(1)
  })

  it('the first webhook attempt for an event waits for earlier first attempts of the same entity, but not for retries', async () => {
    const { open, opened } = aGate()
    const receiver = await anEndpoint((response, _, n) =>
      n === 1 ? opened.then(() => response.writeHead(500).end()) : response.end(),
    )
    await emit('order a')
    await emit('order a')
    await emit('order b')
    start()
    await expect.poll(() => arrived(receiver).length).toBe(1)
    expect(arrived(receiver)).toEqual(['order a'])
    open()
    await expect.poll(pending).toBe(1) // Only the first event is pending: it waits for its retry.
    expect(arrived(receiver)).toEqual(['order a', 'order a', 'order b'])
    const [first, second] = receiver.events()
    expect(first?.body.id < second?.body.id).toBe(true)
  })

  it('when a webhook delivery ends, the next delivery for the same entity starts immediately, without a timer', async () => {
    const all = await Promise.all([anEndpoint(), anEndpoint()])
    // The trigger sets the time of each rescheduled delivery to the year 2999, so that no timer starts the delivery. Only the end of another delivery can start
    // it.
    await db().$executeRaw`
      CREATE FUNCTION oversleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.run_at = '2999-01-01'; RETURN NEW; END $$`
    await db().$executeRaw`
      CREATE TRIGGER oversleep BEFORE UPDATE ON tasks FOR EACH ROW WHEN (NEW.leased_until IS NULL AND NEW.last_error IS NULL
        AND NEW.attempts > 0 AND NEW.run_at > clock_timestamp() + interval '0.5 seconds') EXECUTE FUNCTION oversleep()`
    onTestFinished(async () => void (await db().$executeRaw`DROP FUNCTION oversleep CASCADE`))
    start()
    const rounds = Array.from({ length: 12 }, (_, n) => n)
    await Promise.all(rounds.map((n) => emit(`order ${n % 3}`, `checkout ${n}`, `order ${(n + 1) % 3}`)))
    await expect.poll(pending, { timeout: 300_000 }).toBe(0)
    for (const receiver of all) {
      const ids = receiver.events().map(({ body }) => body.id)
      expect([ids.length, new Set(ids).size]).toEqual([36, 36])
    }
  })
})

describe('unresponsive receivers', () => {
  it('an unresponsive receiver does not delay other receivers', async () => {
    const dead = await anEndpoint(() => undefined)
    const quick = await anEndpoint()
    start()
    for (let n = 0; n < 40; n++) await emit(`order ${n}`)
    await expect.poll(() => arrived(quick).length).toBe(40)
    await expect.poll(() => arrived(dead).length).toBe(32)
  })

  it('an unresponsive receiver does not delay other storefronts, even on the same host', async () => {
    const dead = await anEndpoint((response, { path }) => (path === '/hook' ? undefined : response.end()))
    start()
    for (let n = 0; n < 10; n++) await emit(`order ${n}`)
    await expect.poll(() => arrived(dead).length).toBe(10)
    shop = await aShop()
    const elsewhere = await anEndpoint()
    await register(shop.scope, { url: new URL('/other', dead.url).href, secret: 'whsec_0123456789' })
    await emit('order')
    await expect.poll(() => arrived(elsewhere)).toEqual(['order'])
    await expect.poll(() => dead.events().filter(({ path }) => path === '/other').length).toBe(1)
  })

  it('deliveries to one webhook receiver cause no database queries about an unresponsive receiver', async () => {
    const dead = await anEndpoint(() => undefined)
    const deadId = (await db().webhook_endpoints.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })).id
    await emitIndependent(...Array.from({ length: 2_000 }, (_, n) => `order ${n}`))
    start()
    await expect.poll(() => arrived(dead).length).toBe(32)
    shop = await aShop()
    const quick = await anEndpoint()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    for (let n = 0; n < 20; n++) {
      await emit(`order ${n}`)
      await expect.poll(() => arrived(quick).length).toBe(n + 1)
    }
    const sent = query.mock.calls.map(([asked]) => asked as unknown as { text?: string; values?: unknown[] })
    const about = sent
      .map(({ text, values }) => JSON.stringify([text, values]))
      .filter((asked) => asked.includes(deadId))
    expect(sent.filter(({ values }) => values?.length).length).toBeGreaterThan(20)
    query.mockRestore()
    expect(about).toEqual([])
    expect(arrived(dead).length).toBe(32)
  })

  it('a storefront with unresponsive receivers leaves attempt slots to other storefronts', async () => {
    const scopes = [shop.scope, { ...shop.scope, testmode: false }]
    const dead: Receiver[] = []
    for (const scope of scopes) {
      for (let n = 0; n < 5; n++) dead.push(await anEndpoint(() => undefined, scope))
      const events = Array.from({ length: 40 }, (_, n) => ({
        name: 'order.paid' as const,
        object: { id: `order ${n}` },
      }))
      await transact(scope, (tx) => tx.emitAll(events))
    }
    start()
    await expect.poll(() => dead.every((each) => arrived(each).length > 0)).toBe(true)
    shop = await aShop()
    const all = barrier(32)
    const quick = await anEndpoint((response) => all().then(() => response.end()))
    await emitIndependent(...Array.from({ length: 32 }, (_, n) => `order ${n}`))
    await expect.poll(pending).toBe(0)
    expect(quick.mostAtOnce).toBe(32)
    expect(dead.flatMap(arrived).length).toBeLessThanOrEqual(128)
  })

  it('a receiver has at most 32 attempts in progress when many retries become due at the same time', async () => {
    const receiver = await anEndpoint(answered(500, { 'Retry-After': '3600' }))
    await emitIndependent(...Array.from({ length: 40 }, (_, n) => `order ${n}`))
    start()
    await expect
      .poll(() => db().delivery_attempts.count({ where: { delivery: { storefront_id: shop.storefrontId } } }))
      .toBe(40)
    await stopWorker()
    const { open, opened } = aGate()
    receiver.mostAtOnce = 0
    receiver.answer = (response) => opened.then(() => response.end())
    await db()
      .$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second' WHERE storefront_id = ${shop.storefrontId}`
    await db()
      .$executeRaw`UPDATE deliveries SET next_attempt_at = now() - interval '1 second' WHERE storefront_id = ${shop.storefrontId}`
    start()
    await expect.poll(() => receiver.mostAtOnce).toBe(32)
    open()
    await expect.poll(pending, { timeout: 300_000 }).toBe(0)
    expect(receiver.mostAtOnce).toBe(32)
  })
})
