import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { barrier } from '../../testing/barrier.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { countAttempts, deleteOldHours, healthOf } from './health.ts'
import { register, update } from './operations.ts'
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

const emit = (id: string) => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id } }))
const health = async () => {
  const endpoint = await findEndpoint(db(), shop.scope, endpointId)
  const found = endpoint && (await healthOf(db(), [endpoint])).get(endpointId)
  if (!found) throw new Error('no health')
  return found
}
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const attempt = (hours: number, isSuccess: boolean, attemptId = `attempt_${hours}`) => ({
  attemptId,
  endpointId,
  startedAt: hoursAgo(hours),
  isSuccess,
})

describe('endpoint health', () => {
  it('the health of a webhook endpoint without attempts has the state "unused" and the oldest pending delivery', async () => {
    expect(await health()).toMatchObject({
      state: 'unused',
      day: { succeeded: 0, failed: 0, rate: null },
      lastSucceededAt: null,
      lastFailure: null,
      waiting: 0,
      isMoreWaiting: false,
      oldest: null,
    })
    await emit('order_1')
    await emit('order_2')
    const first = await db().deliveries.findFirstOrThrow({ where: { endpoint_id: endpointId }, orderBy: { id: 'asc' } })
    expect(await health()).toMatchObject({ waiting: 2, oldest: { deliveryId: first.id, createdAt: first.created_at } })
  })

  it('the health of a webhook endpoint counts at most 1,000 pending deliveries, and states if there are more', async () => {
    const emitMany = (count: number) =>
      transact(shop.scope, (tx) =>
        tx.emitAll(Array.from({ length: count }, (_, n) => ({ name: 'order.paid', object: { id: `order_${n}` } }))),
      )
    await emitMany(1_000)
    expect(await health()).toMatchObject({ waiting: 1_000, isMoreWaiting: false })
    await emitMany(1)
    expect(await health()).toMatchObject({ waiting: 1_000, isMoreWaiting: true })
  })

  it('the health of a webhook endpoint counts each recorded attempt and shows the response of the last failure', async () => {
    await emit('order_1')
    await runDueTasks()
    expect(await health()).toMatchObject({ state: 'working', day: { succeeded: 1, failed: 0, rate: 1000 }, waiting: 0 })
    receiver.answer = answered(503)
    await emit('order_2')
    await runDueTasks()
    const { id } = await db().deliveries.findFirstOrThrow({ where: { endpoint_id: endpointId, status: 'pending' } })
    expect(await health()).toMatchObject({
      state: 'failing',
      day: { succeeded: 1, failed: 1, rate: 500 },
      week: { succeeded: 1, failed: 1, rate: 500 },
      lastFailure: { attempt: { deliveryId: id, status: 503, error: null } },
      oldest: { deliveryId: id },
    })
    receiver.answer = answered(200)
    await emit('order_3')
    await runDueTasks()
    expect(await health()).toMatchObject({ state: 'working', day: { succeeded: 2, failed: 1, rate: 666 } })
  })

  it('the health state of an endpoint without enabled events is "disabled"', async () => {
    await emit('order_1')
    await runDueTasks()
    await update(shop.scope, endpointId, { enabledEvents: [] })
    expect((await health()).state).toBe('disabled')
  })

  it('the health of a webhook endpoint counts attempts of the last 24 hours and 7 days, and the counts are deleted after 90 days', async () => {
    await countAttempts(db(), shop.scope, [
      attempt(1, true),
      attempt(30, false),
      attempt(24 * 8, false),
      attempt(24 * 91, true),
    ])
    expect(await health()).toMatchObject({
      day: { succeeded: 1, failed: 0 },
      week: { succeeded: 1, failed: 1, rate: 500 },
      lastFailure: { attempt: null },
    })
    await deleteOldHours(db())
    expect(await db().endpoint_hours.count({ where: { endpoint_id: endpointId } })).toBe(3)
  })

  it('recording an older webhook attempt later does not replace the last failure or success', async () => {
    const [early, late] = [new Date('2026-11-29T10:10:00Z'), new Date('2026-11-29T10:20:00Z')]
    for (const startedAt of [late, early])
      for (const isSuccess of [true, false])
        await countAttempts(db(), shop.scope, [
          { endpointId, startedAt, isSuccess, attemptId: `attempt_${startedAt.getUTCMinutes()}` },
        ])
    expect(await db().endpoint_hours.findMany({ where: { endpoint_id: endpointId } })).toMatchObject([
      {
        succeeded: 2,
        failed: 2,
        last_succeeded_at: late,
        last_failed_at: late,
        last_failed_attempt_id: 'attempt_20',
      },
    ])
  })

  it('all webhook attempts in the same hour are counted, even if concurrent transactions record these attempts', async () => {
    const all = barrier(4)
    await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        db().$transaction(async (sql) => {
          await all()
          await countAttempts(sql, shop.scope, [attempt(0, index % 2 === 0), attempt(0, true)])
        }),
      ),
    )
    expect((await health()).day).toEqual({ succeeded: 6, failed: 2, rate: 750 })
  })
})
