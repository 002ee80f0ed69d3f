import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { startWorker, stopWorker } from '../../platform/jobs/worker.ts'
import { tasks } from '../../server/jobs.ts'
import { aGate } from '../../testing/gate.ts'
import { type Answer, answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { register } from './operations.ts'

/** The order and the concurrency of deliveries, with the real worker and real receivers. */

// The timeout is lifted, so that no attempt fails for a slow machine.
vi.mock('./post.ts', async (original) => {
  const { postEvent } = await original<typeof import('./post.ts')>()
  return { postEvent: (...[to, event]: Parameters<typeof postEvent>) => postEvent(to, event, 600_000) }
})

type Receiver = Awaited<ReturnType<typeof aReceiver>>
let shop: Shop
const receivers: Receiver[] = []

/** A registered receiver that answers events with `answer`. */
async function anEndpoint(answer: Answer = answered(200)): Promise<Receiver> {
  const receiver = await aReceiver()
  receivers.push(receiver)
  await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
  receiver.answer = answer
  return receiver
}
/** One transaction with an event about each of these orders. */
const emit = (...orders: string[]) =>
  transact(shop.scope, async (tx) => {
    for (const id of orders) await tx.emit({ name: 'order.paid', object: { id } })
  })
const arrived = (receiver: Receiver): string[] => receiver.events().map(({ body }) => body.entityId)
const ring = () => startWorker(tasks.runner, tasks.embedded)
const pending = () => db().deliveries.count({ where: { status: 'pending', storefront_id: shop.storefrontId } })
/** Deliveries that have checked their turn, and wait. */
const waiting = () =>
  db().tasks.count({ where: { storefront_id: shop.storefrontId, leased_until: null, attempts: { gt: 0 } } })

beforeEach(async () => {
  await db().tasks.deleteMany()
  shop = await aShop()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await stopWorker()
})

describe('first attempts', () => {
  it('start in the order of the events, four at a time', async () => {
    const { open, opened } = aGate()
    const receiver = await anEndpoint((response) => opened.then(() => response.end()))
    const orders = Array.from({ length: 10 }, (_, n) => `order ${n}`)
    for (const order of orders) await emit(order)
    ring()
    await expect.poll(() => arrived(receiver).length).toBe(4)
    await expect.poll(waiting).toBe(6)
    expect(arrived(receiver).sort()).toEqual(orders.slice(0, 4))
    open()
    await expect.poll(pending).toBe(0)
    expect(arrived(receiver).sort()).toEqual(orders)
    expect(receiver.mostAtOnce).toBe(4)
  })

  it('of events of one transaction go one after the other', async () => {
    const receiver = await anEndpoint()
    const orders = ['checkout', 'subscription a', 'subscription b', 'order']
    await emit(...orders)
    ring()
    await expect.poll(pending).toBe(0)
    expect(arrived(receiver)).toEqual(orders)
    expect(receiver.mostAtOnce).toBe(1)
  })

  it('wait for the first response to an earlier event of the same entity, even a failure, and not for its retries', async () => {
    const { open, opened } = aGate()
    const receiver = await anEndpoint((response, _, n) =>
      n === 1 ? opened.then(() => response.writeHead(500).end()) : response.end(),
    )
    await emit('order a')
    await emit('order a')
    await emit('order b')
    ring()
    await expect.poll(() => arrived(receiver).length).toBe(1)
    await expect.poll(waiting).toBe(2)
    expect(arrived(receiver)).toEqual(['order a'])
    open()
    await expect.poll(pending).toBe(1) // the first one, which will be retried
    expect(arrived(receiver)).toEqual(['order a', 'order a', 'order b'])
    const [first, second] = receiver.events()
    expect(first?.body.id < second?.body.id).toBe(true)
  })

  it('lose no wake-up: long chains to several endpoints end long before any delivery would look again on its own', async () => {
    const all = await Promise.all([anEndpoint(), anEndpoint()])
    // A snoozed delivery looks again in hundreds of years: one that nothing wakes stays.
    await db().$executeRaw`
      CREATE FUNCTION oversleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.run_at = '2999-01-01'; RETURN NEW; END $$`
    await db().$executeRaw`
      CREATE TRIGGER oversleep BEFORE UPDATE ON tasks FOR EACH ROW WHEN (NEW.leased_until IS NULL AND NEW.last_error IS NULL
        AND NEW.attempts > 0 AND NEW.run_at > clock_timestamp() + interval '0.5 seconds') EXECUTE FUNCTION oversleep()`
    onTestFinished(async () => void (await db().$executeRaw`DROP FUNCTION oversleep CASCADE`))
    ring()
    const rounds = Array.from({ length: 12 }, (_, n) => n)
    await Promise.all(rounds.map((n) => emit(`order ${n % 3}`, `checkout ${n}`, `order ${(n + 1) % 3}`)))
    await expect.poll(pending, { timeout: 300_000 }).toBe(0)
    for (const receiver of all) {
      const ids = receiver.events().map(({ body }) => body.id)
      expect([ids.length, new Set(ids).size]).toEqual([36, 36])
    }
  })
})

describe('a receiver that never answers', () => {
  it('holds up no other receiver', async () => {
    const dead = await anEndpoint(() => undefined)
    const quick = await anEndpoint()
    ring()
    for (let n = 0; n < 30; n++) await emit(`order ${n}`)
    await expect.poll(() => arrived(quick).length).toBe(30)
    await expect.poll(() => arrived(dead).length).toBe(4)
  })

  it('holds up no other storefront either, on the same host or not', async () => {
    const dead = await anEndpoint((response, { path }) => (path === '/hook' ? undefined : response.end()))
    ring()
    for (let n = 0; n < 10; n++) await emit(`order ${n}`)
    await expect.poll(() => arrived(dead).length).toBe(4)
    shop = await aShop()
    const elsewhere = await anEndpoint()
    await register(shop.scope, { url: new URL('/other', dead.url).href, secret: 'whsec_0123456789' })
    await emit('order')
    await expect.poll(() => arrived(elsewhere)).toEqual(['order'])
    await expect.poll(() => dead.events().filter(({ path }) => path === '/other').length).toBe(1)
  })

  it('has four attempts under way and no more when many retries fall due at once', async () => {
    const receiver = await anEndpoint(answered(500, { 'Retry-After': '3600' })) // not before the test says so
    for (let n = 0; n < 8; n++) await emit(`order ${n}`)
    ring()
    await expect
      .poll(() => db().delivery_attempts.count({ where: { delivery: { storefront_id: shop.storefrontId } } }))
      .toBe(8)
    await stopWorker()
    const { open, opened } = aGate()
    receiver.mostAtOnce = 0
    receiver.answer = (response) => opened.then(() => response.end())
    await db()
      .$executeRaw`UPDATE tasks SET run_at = now() - interval '1 second' WHERE storefront_id = ${shop.storefrontId}`
    ring()
    await expect.poll(waiting).toBe(4)
    await expect.poll(() => receiver.mostAtOnce).toBe(4)
    open()
    await expect.poll(pending, { timeout: 300_000 }).toBe(0)
    expect(receiver.mostAtOnce).toBe(4)
  })
})
