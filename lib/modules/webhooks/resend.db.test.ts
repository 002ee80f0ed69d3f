import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { tasks } from '../../server/jobs.ts'
import { barrier } from '../../testing/barrier.ts'
import { killedAt } from '../../testing/crash.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { advanceByDuration, showClock } from '../../workflows/test-helpers/operations.ts'
import type { EventName } from '../events/event-types.ts'
import { transact } from '../events/transact.ts'
import { register, remove, update } from './operations.ts'
import { countFailed, countMatching, resendDelivery, resendFailed, resendMatching } from './resend.ts'
import { mostMatchingSentAgain, mostSentAgain } from './rules/limits.ts'
import { usualSince } from './rules/since.ts'
import { findEndpoint } from './store.ts'

const secret = 'whsec_0123456789'
let shop: Shop
let endpointId: string
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await receiver?.close()
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  endpointId = (await register(shop.scope, { url: receiver.url, secret })).id
})
afterAll(() => receiver.close())

const emit = (name: EventName, id: string) => transact(shop.scope, (tx) => tx.emit({ name, object: { id } }))
const advance = (days: number) => advanceByDuration(shop.scope, { by: { days } }, tasks.embedded)
const since = async (days: number) => {
  const now = new Date((await showClock(shop.storefrontId)).now)
  return usualSince(new Date(now.getTime() - (days - 1) * 24 * 3600 * 1000))
}
const statuses = async () => {
  const rows = await db().deliveries.groupBy({ by: ['status'], where: { endpoint_id: endpointId }, _count: true })
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]))
}
const failed = async () => {
  const endpoint = await findEndpoint(db(), shop.scope, endpointId)
  return endpoint && countFailed(shop.scope, endpoint)
}
/** Inserts failed deliveries, as if a receiver had been down for days. */
const manyFailed = async (count: number) => {
  await emit('order.paid', 'order_1')
  await runDueTasks()
  const row = await db().deliveries.findFirstOrThrow({ where: { endpoint_id: endpointId } })
  await db().$executeRaw`
    INSERT INTO events (id, storefront_id, testmode, name, entity_type, entity_id, causation_id, body, created_at)
    SELECT id || n, storefront_id, testmode, name, entity_type, entity_id || n, id || n, body, created_at
    FROM events, generate_series(1, ${count}::int) n WHERE id = ${row.event_id}`
  await db().$executeRaw`
    INSERT INTO deliveries (id, storefront_id, testmode, event_id, endpoint_id, entity_id, causation_id, status, attempts,
      started_at, first_answered_at, failed_at, created_at)
    SELECT id || n, storefront_id, testmode, event_id || n, endpoint_id, entity_id || n, event_id || n, 'failed', 10,
      started_at, first_answered_at, (SELECT clock_timestamp()) - interval '1 hour' + n * interval '1 millisecond', created_at
    FROM deliveries, generate_series(1, ${count}::int) n WHERE id = ${row.id}`
}

describe('re-send of an endpoint’s failures', () => {
  it('a re-send of failed deliveries starts a new series of attempts for each failed delivery', async () => {
    receiver.answer = answered(500)
    await emit('order.paid', 'order_1')
    await advance(5)
    await emit('order.paid', 'order_2')
    await emit('refund.failed', 'refund_1')
    await advance(5)
    await emit('order.paid', 'order_3')
    await runDueTasks()
    receiver.answer = answered(200)
    await emit('order.paid', 'order_4')
    await runDueTasks()
    expect(await statuses()).toEqual({ failed: 3, pending: 1, delivered: 1 })
    expect(await failed()).toBe(3)
    const before = receiver.events().length
    expect(await resendFailed(shop.scope, endpointId, await since(5))).toEqual({ count: 2 })
    expect(await failed()).toBe(1)
    await runDueTasks()
    const again = receiver.events().slice(before)
    expect(again.map(({ body }) => body.entityId).toSorted()).toEqual(['order_2', 'refund_1'])
    expect(await statuses()).toEqual({ failed: 1, pending: 1, delivered: 3 })
    expect(await resendFailed(shop.scope, endpointId, await since(5))).toEqual({ count: 0 })
  })

  it('a re-sent delivery fails after ten more attempts and can be re-sent again', async () => {
    receiver.answer = answered(500)
    await emit('order.paid', 'order_1')
    await advance(5)
    await resendFailed(shop.scope, endpointId, await since(5))
    expect(await db().deliveries.findFirst({ where: { endpoint_id: endpointId } })).toMatchObject({
      status: 'pending',
      failed_at: null,
    })
    await advance(5)
    expect(await db().deliveries.findFirst({ where: { endpoint_id: endpointId } })).toMatchObject({
      status: 'failed',
      attempts: 20,
    })
    expect(await resendFailed(shop.scope, endpointId, await since(5))).toEqual({ count: 1 })
  })

  it('a re-send skips events that the endpoint disabled', async () => {
    receiver.answer = answered(500)
    await emit('order.paid', 'order_1')
    await emit('refund.failed', 'refund_1')
    await advance(5)
    await update(shop.scope, endpointId, { enabledEvents: ['refund.failed'] })
    expect(await failed()).toBe(1)
    expect(await resendFailed(shop.scope, endpointId, await since(5))).toEqual({ count: 1 })
    expect(await statuses()).toEqual({ failed: 1, pending: 1 })
  })

  it('concurrent requests re-send a failed delivery exactly once', async () => {
    await manyFailed(40)
    const { id } = await db().deliveries.findFirstOrThrow({ where: { endpoint_id: endpointId, status: 'failed' } })
    const from = await since(1)
    const [one, ...all] = await Promise.all([
      resendDelivery(id),
      ...Array.from({ length: 4 }, () => resendFailed(shop.scope, endpointId, from)),
    ])
    expect(one).toEqual({ deliveryId: id, status: 'pending' })
    expect([39, 40]).toContain(all.reduce((sum, { count }) => sum + count, 0))
    const before = receiver.events().length
    await runDueTasks()
    expect(receiver.events().length - before).toBe(40)
    expect(await statuses()).toEqual({ delivered: 41 })
  })

  it('one request re-sends the earliest failures up to the limit of a request, and the next request re-sends the others', async () => {
    await manyFailed(mostSentAgain + 7)
    expect(await failed()).toBe(mostSentAgain + 1)
    expect(await resendFailed(shop.scope, endpointId, await since(1))).toEqual({ count: mostSentAgain })
    expect(await statuses()).toEqual({ delivered: 1, failed: 7, pending: mostSentAgain })
    const [row] = await db().$queryRaw<{ in_order: boolean }[]>`
      SELECT min(entity_id) = 'order_1' || ${mostSentAgain + 1} AS in_order FROM deliveries
      WHERE endpoint_id = ${endpointId} AND status = 'failed'`
    expect(row).toEqual({ in_order: true })
    expect(await db().tasks.count({ where: { stream: endpointId } })).toBe(mostSentAgain)
    expect(await resendFailed(shop.scope, endpointId, await since(1))).toEqual({ count: 7 })
  })

  it('if the process dies during a re-send of failed deliveries, either all or none of these deliveries are re-sent', async () => {
    await manyFailed(5)
    const from = await since(1)
    const resent = (n: number) => killedAt(n, 'before', () => resendFailed(shop.scope, endpointId, from))
    let n = 1
    for (; await resent(n); n++) {
      // Waits until PostgreSQL has rolled back the transaction of the cut connection. Until then, the transaction's locks hide the deliveries from a query that
      // skips locked rows.
      await db().$queryRaw`SELECT id FROM deliveries WHERE endpoint_id = ${endpointId} FOR UPDATE`
      expect(await statuses()).toEqual({ delivered: 1, failed: 5 })
      expect(await db().tasks.count({ where: { stream: endpointId } })).toBe(0)
    }
    expect(n).toBeGreaterThan(4)
    expect(await statuses()).toEqual({ delivered: 1, pending: 5 })
    expect(await db().tasks.count({ where: { stream: endpointId } })).toBe(5)
  })

  it('a re-send is refused if its start time is invalid, future, or too old, or if the endpoint belongs to another storefront', async () => {
    for (const typed of ['', 'yesterday', await since(31), await since(-1)])
      await expect(resendFailed(shop.scope, endpointId, typed)).rejects.toMatchObject({
        code: 'validation_failed',
        on: { since: ['Must be a date and a time of the last 30 days.'] },
      })
    const from = await since(1)
    const other = await aShop({ name: 'Another one' })
    for (const scope of [other.scope, { ...shop.scope, testmode: false }])
      await expect(resendFailed(scope, endpointId, from)).rejects.toMatchObject({ code: 'not_found' })
    await remove(shop.scope, endpointId)
    await expect(resendFailed(shop.scope, endpointId, from)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('re-send by filter', () => {
  it('a filtered re-send skips disabled events and deliveries that do not match the filter', async () => {
    const second = (await register(shop.scope, { url: `${receiver.url}/second`, secret })).id
    receiver.answer = answered(500)
    await emit('order.paid', 'order_1')
    await emit('refund.failed', 'refund_1')
    await advance(5)
    const count = (filter: Parameters<typeof countMatching>[1]) => countMatching(shop.scope, filter)
    expect(await count({})).toBe(4)
    expect(await count({ endpointId: second })).toBe(2)
    expect(await count({ eventName: 'order.paid', endpointId })).toBe(1)
    expect(await count({ entityId: 'refund_1' })).toBe(2)
    expect(await count({ createdBefore: new Date('2026-01-01T00:00:00Z') })).toBe(0)
    await update(shop.scope, second, { enabledEvents: ['refund.failed'] })
    expect(await count({ eventName: 'order.paid' })).toBe(1)
    expect(await resendMatching(shop.scope, { eventName: 'order.paid' })).toEqual({ count: 1 })
    expect(await resendMatching(shop.scope, { eventName: 'order.paid' })).toEqual({ count: 0 })
    expect(await statuses()).toEqual({ pending: 1, failed: 1 })
    await remove(shop.scope, second)
    expect(await resendMatching(shop.scope, {})).toEqual({ count: 1 })
    expect((await db().tasks.findMany({ where: { name: 'webhook.deliver' } })).map(({ stream }) => stream)).toEqual([
      endpointId,
      endpointId,
    ])
  })

  it('concurrent filtered re-sends do not re-send a delivery twice', async () => {
    await manyFailed(40)
    const all = barrier(4)
    const counts = await Promise.all(
      Array.from({ length: 4 }, () => all().then(() => resendMatching(shop.scope, { eventName: 'order.paid' }))),
    )
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(40)
    expect(await db().tasks.count({ where: { stream: endpointId } })).toBe(40)
  })

  it('one filtered re-send sends at most a thousand deliveries, oldest first', async () => {
    await manyFailed(mostMatchingSentAgain + 3)
    const failuresByAge = () =>
      db().deliveries.findMany({
        where: { endpoint_id: endpointId, status: 'failed' },
        orderBy: { id: 'asc' },
        select: { id: true },
      })
    const byAge = await failuresByAge()
    // The newest delivery failed first, so that the order of the failures differs from the age of the deliveries.
    await db()
      .$executeRaw`UPDATE deliveries SET failed_at = failed_at - interval '1 minute' WHERE id = ${byAge.at(-1)?.id ?? ''}`
    expect(await countMatching(shop.scope, {})).toBe(mostMatchingSentAgain + 1)
    expect(await resendMatching(shop.scope, {})).toEqual({ count: mostMatchingSentAgain })
    expect(await failuresByAge()).toEqual(byAge.slice(-3))
    expect(await resendMatching(shop.scope, {})).toEqual({ count: 3 })
  })

  it('a filtered re-send skips deliveries of another storefront or mode', async () => {
    await manyFailed(2)
    const other = await aShop()
    for (const tenant of [other.scope, { ...shop.scope, testmode: false }])
      expect(await resendMatching(tenant, { endpointId })).toEqual({ count: 0 })
    expect(await statuses()).toEqual({ delivered: 1, failed: 2 })
  })
})
