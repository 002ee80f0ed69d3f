import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { transact } from '../events/transact.ts'
import { removeOldDeliveries, removeOldEvents } from './old-rows.ts'
import { register, remove, update } from './operations.ts'
import { resendDelivery } from './resend.ts'

/** In these tests, `old()` sets a time limit in the future, so that all rows count as old. */

deliverPatiently()

const secret = 'whsec_0123456789'
let shop: Shop
let endpointId: string
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await receiver?.close()
  await db().$executeRaw`TRUNCATE tasks, events, deliveries, delivery_attempts`
  shop = await aShop()
  receiver = await aReceiver()
  endpointId = (await register(shop.scope, { url: receiver.url, secret })).id
})
afterAll(() => receiver.close())

const soon = () => new Date(Date.now() + 60_000)
const old = (after = '') => ({ before: soon(), after, limit: 1_000 })
const emit = (id = 'order_1') => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id } }))
const delivery = () => db().deliveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
const forgetAttempts = () => db().delivery_attempts.deleteMany()
const left = async () => [await db().deliveries.count(), await db().events.count()]
const delivered = async () => {
  await emit()
  await runDueTasks()
  await forgetAttempts()
}

describe('retention', () => {
  it.each<[string, () => Promise<unknown>, number]>([
    ['removed after a successful delivery', delivered, 0],
    ['not removed while attempts are stored', () => emit().then(() => runDueTasks()), 1],
    ['not removed while the first attempt is due', emit, 1],
    [
      'not removed while a further attempt is due',
      async () => {
        receiver.answer = answered(500)
        await delivered()
      },
      1,
    ],
    [
      'removed after the last attempt failed',
      async () => {
        receiver.answer = answered(500)
        await delivered()
        await db().$executeRaw`UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, failed_at = now()`
        await db().tasks.deleteMany()
      },
      0,
    ],
    [
      'removed after the endpoint was deleted',
      async () => {
        await emit()
        await remove(shop.scope, endpointId)
        await runDueTasks()
      },
      0,
    ],
    [
      'not removed before the delivery of a disabled event is stopped',
      async () => {
        await emit()
        await update(shop.scope, endpointId, { enabledEvents: [] })
      },
      1,
    ],
    [
      'not removed during a re-send',
      async () => {
        await delivered()
        await resendDelivery((await delivery()).id)
      },
      1,
    ],
  ])('an old webhook delivery and its event are %s', async (_, prepare, stays) => {
    await prepare()
    const before = await db().deliveries.findMany()
    expect(await removeOldDeliveries(db(), old())).toMatchObject({ seen: 1, removed: 1 - stays })
    expect(await removeOldEvents(db(), old())).toMatchObject({ seen: 1, removed: 1 - stays })
    expect(await left()).toEqual([stays, stays])
    expect(await db().deliveries.findMany()).toEqual(before.slice(0, stays))
  })

  it('an old webhook event is removed only after all of its deliveries are removed', async () => {
    const waiting = await aReceiver((response, _, n) => response.writeHead(n === 0 ? 200 : 500).end())
    await register(shop.scope, { url: waiting.url, secret })
    await delivered()
    expect((await removeOldDeliveries(db(), old())).removed).toBe(1)
    expect((await removeOldEvents(db(), old())).removed).toBe(0)
    expect(await left()).toEqual([1, 1])
    await waiting.close()
  })

  it('an old webhook event without a delivery is removed', async () => {
    await remove(shop.scope, endpointId)
    await emit()
    expect((await removeOldEvents(db(), old())).removed).toBe(1)
  })

  it('a delivery and its event are removed only if they were created before the time limit', async () => {
    await delivered()
    const { created_at } = await delivery()
    const next = new Date(created_at.getTime() + 1_000)
    for (const remove of [removeOldDeliveries, removeOldEvents]) {
      expect(await remove(db(), { ...old(), before: created_at })).toEqual({ seen: 0, removed: 0, last: null })
      expect(await remove(db(), { ...old(), before: next })).toMatchObject({ seen: 1, removed: 1 })
    }
  })

  it('the removal of old webhook deliveries keeps pending deliveries, and continues after the last visited delivery', async () => {
    receiver.answer = answered(500)
    for (const n of [1, 2, 3]) await emit(`order_${n}`)
    const ids = (await db().deliveries.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
    const [first, second, third] = ids
    expect(await removeOldDeliveries(db(), { ...old(), limit: 2 })).toEqual({ seen: 2, removed: 0, last: second })
    expect(await removeOldDeliveries(db(), { ...old(second), limit: 2 })).toEqual({ seen: 1, removed: 0, last: third })
    expect(first && second && first < second).toBe(true)
  })

  it('a removed event cannot be read, and a removed delivery cannot be re-sent', async () => {
    await delivered()
    const { id, event_id } = await delivery()
    await removeOldDeliveries(db(), old())
    await removeOldEvents(db(), old())
    expect((await send(`GET /v1/webhook-events/${event_id}`, { key: shop.testKey })).status).toBe(404)
    await expect(resendDelivery(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('concurrent operations', () => {
  it('the removal of old deliveries skips a delivery with an attempt in progress', async () => {
    const [reached, goOn] = [aGate(), aGate()]
    receiver.answer = (response) => {
      reached.open()
      return goOn.opened.then(() => response.end())
    }
    await emit()
    const delivering = runDueTasks()
    await reached.opened
    expect(await removeOldDeliveries(db(), old())).toMatchObject({ seen: 1, removed: 0 })
    goOn.open()
    await delivering
    expect((await delivery()).status).toBe('delivered')
  })

  it('the removal of old deliveries and events skips a delivery that is being re-sent', async () => {
    await delivered()
    const { id } = await delivery()
    const hold = { sql: 'SELECT 1 FROM deliveries WHERE id = $1 FOR UPDATE', values: [id] }
    const [again] = await raceBehind(hold, [() => resendDelivery(id)], 1, async () => {
      expect(await removeOldDeliveries(db(), old())).toMatchObject({ seen: 1, removed: 0 })
      expect((await removeOldEvents(db(), old())).removed).toBe(0)
    })
    expect(again).toMatchObject({ status: 'fulfilled' })
    await runDueTasks()
    expect(receiver.events()).toHaveLength(2)
    expect(await left()).toEqual([1, 1])
  })

  it('a re-send of a removed delivery is refused and enqueues no task', async () => {
    await delivered()
    const { id } = await delivery()
    const resent: { outcome?: Promise<unknown> } = {}
    await db().$transaction(async (sql) => {
      expect((await removeOldDeliveries(sql, old())).removed).toBe(1)
      resent.outcome = resendDelivery(id).catch((error: { code: string }) => error.code)
      await expect
        .poll(
          () =>
            db().$queryRaw<
              unknown[]
            >`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        .toHaveLength(1)
    })
    expect(await resent.outcome).toBe('not_found')
    expect(await db().tasks.count({ where: { storefront_id: shop.storefrontId } })).toBe(0)
  })
})
