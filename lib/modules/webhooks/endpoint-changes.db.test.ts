import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { tasks } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { aProduct } from '../../testing/factories.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { answered, aReceiver, isSigned } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { advanceByDuration } from '../../workflows/test-helpers/operations.ts'
import { transact } from '../events/transact.ts'
import { listDeliveries, register, remove, update } from './operations.ts'
import { resendDelivery } from './resend.ts'

deliverPatiently()
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
const emit = (id = 'order_1') => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id } }))

const delivery = () =>
  db().deliveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId }, orderBy: { id: 'asc' } })

const attempts = () =>
  db().delivery_attempts.findMany({
    where: { delivery: { storefront_id: shop.storefrontId } },
    orderBy: { number: 'asc' },
  })

const task = () => db().tasks.findFirst({ where: { storefront_id: shop.storefrontId } })

describe('changes of the endpoint', () => {
  it('a webhook endpoint is disabled and receives no further events if it responds with 410', async () => {
    receiver.answer = answered(410)
    await emit()
    await emit()
    await runDueTasks()
    expect(receiver.events().length).toBe(1)
    expect(
      await db().deliveries.findMany({ select: { status: true }, where: { storefront_id: shop.storefrontId } }),
    ).toEqual([{ status: 'stopped' }, { status: 'stopped' }])
    expect((await send(`GET /v1/webhook-endpoints/${endpointId}`, { key: shop.testKey })).body.enabledEvents).toEqual(
      [],
    )
    await emit()
    expect(await db().deliveries.count({ where: { storefront_id: shop.storefrontId } })).toBe(2)
    expect(await task()).toBeNull()
  })

  it('a webhook endpoint is not disabled by a 410 response if its URL and secret change during the request', async () => {
    const [reached, goOn] = [aGate(), aGate()]
    receiver.answer = (response, { body }) => {
      if (body.eventName === 'webhook.setup') return response.end()
      reached.open()
      return goOn.opened.then(() => response.writeHead(410).end())
    }
    await emit()
    const delivering = runDueTasks()
    await reached.opened
    await update(shop.scope, endpointId, { url: `${receiver.url}/new`, secret: 'whsec_another_one' })
    goOn.open()
    await delivering
    receiver.answer = answered(200)
    await emit('order_2')
    await runDueTasks()
    const sent = receiver.events().at(-1)
    expect(sent?.path).toBe('/hook/new')
    expect(sent && isSigned(sent, 'whsec_another_one')).toBe(true)
  })

  it('a deleted webhook endpoint receives no further event, even if an attempt was in progress', async () => {
    const [reached, goOn] = [aGate(), aGate()]
    receiver.answer = (response) => {
      reached.open()
      return goOn.opened.then(() => response.writeHead(410).end())
    }
    await emit()
    const delivering = runDueTasks()
    await reached.opened
    await emit('order_2')
    await remove(shop.scope, endpointId)
    goOn.open()
    await delivering
    expect(receiver.events().length).toBe(1)
    const statuses = await db().deliveries.findMany({
      where: { storefront_id: shop.storefrontId },
      select: { status: true },
    })
    expect(statuses).toEqual([{ status: 'stopped' }, { status: 'stopped' }])
    expect(await task()).toBeNull()
  })

  it('after a change of a webhook secret, the next attempt is signed with the new secret', async () => {
    receiver.answer = answered(500)
    await emit()
    await runDueTasks()
    await update(shop.scope, endpointId, { secret: 'whsec_another_one' })
    await advanceByDuration(shop.scope, { by: { seconds: 10 } }, tasks.embedded)
    const [first, second] = receiver.events()
    expect([first && isSigned(first, secret), second && isSigned(second, 'whsec_another_one')]).toEqual([true, true])
  })

  it.each([
    ['was changed to other events', ['refund.failed'] as const],
    ['was disabled', [] as const],
  ])(
    'after a webhook endpoint %s, it receives no retry of an event that is no longer enabled',
    async (_, enabledEvents) => {
      receiver.answer = answered(500)
      await emit('order_1')
      await runDueTasks()
      await emit('order_2')
      await update(shop.scope, endpointId, { enabledEvents: [...enabledEvents] })
      await emit('order_3')
      receiver.answer = answered(200)
      await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)
      expect(receiver.events().map(({ body }) => body.entityId)).toEqual(['order_1'])
      expect(await listDeliveries(shop.storefrontId)).toMatchObject([
        { entityId: 'order_2', status: 'stopped', attempts: 0, nextAttemptAt: null },
        { entityId: 'order_1', status: 'stopped', attempts: 1, nextAttemptAt: null },
      ])
      expect(await task()).toBeNull()
    },
  )

  it.each([
    [500, 'stopped'],
    [200, 'delivered'],
  ])(
    'if an event is disabled during its attempt and the endpoint responds with %i, the delivery is %s',
    async (status, expected) => {
      const [reached, goOn] = [aGate(), aGate()]
      receiver.answer = (response) => {
        reached.open()
        return goOn.opened.then(() => response.writeHead(status).end())
      }
      await emit()
      const delivering = runDueTasks()
      await reached.opened
      await update(shop.scope, endpointId, { enabledEvents: [] })
      goOn.open()
      await delivering
      expect(await delivery()).toMatchObject({ status: expected, attempts: 1, next_attempt_at: null })
      expect(await task()).toBeNull()
    },
  )

  it('a webhook endpoint of another mode or storefront receives no event', async () => {
    const live = await aReceiver()
    const other = await aReceiver()
    await register({ ...shop.scope, testmode: false }, { url: live.url, secret })
    await register((await aShop({ name: 'Another one' })).scope, { url: other.url, secret })
    await emit()
    await runDueTasks()
    expect([receiver, live, other].map((each) => each.events().length)).toEqual([1, 0, 0])
    await Promise.all([live.close(), other.close()])
  })
})

describe('re-sends', () => {
  const id = async () => (await delivery()).id

  it('a re-send of a delivered event sends the same body again', async () => {
    await emit()
    await runDueTasks()
    expect(await resendDelivery(await id())).toMatchObject({ status: 'pending' })
    await runDueTasks()
    const [first, second] = receiver.events()
    expect([second?.text, second?.headers['service-event-id']]).toEqual([
      first?.text,
      first?.headers['service-event-id'],
    ])
    const [listed] = await listDeliveries(shop.storefrontId)
    expect(listed).toMatchObject({ status: 'delivered', attempts: 2, log: [{ number: 1 }, { number: 2 }] })
  })

  it('a re-send of a failed delivery starts a new series of attempts', async () => {
    receiver.answer = answered(500)
    await emit()
    await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)
    await resendDelivery(await id())
    expect(await advanceByDuration(shop.scope, { by: { days: 5 } }, tasks.embedded)).toMatchObject({ ran: 10 })
    expect(await delivery()).toMatchObject({ status: 'failed', attempts: 20 })
    expect((await attempts()).map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })

  it('a re-send of a pending delivery sends the event immediately', async () => {
    receiver.answer = answered(500)
    await emit()
    await runDueTasks()
    receiver.answer = answered(200)
    await resendDelivery(await id())
    await runDueTasks()
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('a re-send of a disabled event is refused until the endpoint enables the event', async () => {
    await emit()
    await update(shop.scope, endpointId, { enabledEvents: [] })
    await runDueTasks()
    const before = await delivery()
    await expect(resendDelivery(before.id)).rejects.toMatchObject({
      code: 'validation_failed',
      on: { delivery: ['The endpoint is not subscribed to order.paid. Add the event to enabledEvents first.'] },
    })
    expect(await delivery()).toEqual(before)
    await update(shop.scope, endpointId, { enabledEvents: ['order.paid'] })
    await resendDelivery(before.id)
    await runDueTasks()
    expect(await delivery()).toMatchObject({ status: 'delivered', attempts: 1 })
  })

  it('a re-send to a deleted webhook endpoint, or of an unknown delivery, is refused', async () => {
    await emit()
    await remove(shop.scope, endpointId)
    await runDueTasks()
    await expect(resendDelivery(await id())).rejects.toMatchObject({
      on: { delivery: ['The endpoint of this delivery was deleted.'] },
    })
    expect(await delivery()).toMatchObject({ status: 'stopped', attempts: 0 })
    await expect(resendDelivery('delivery_none')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('tenants', () => {
  it('a webhook event is not visible to another storefront or mode', async () => {
    const { id } = await aProduct(shop.testKey)
    await send(`POST /v1/one-off-products/${id}/archive`, { key: shop.testKey })
    const { event_id } = await delivery()
    const path = `GET /v1/webhook-events/${event_id}`
    const other = await aShop({ name: 'Another one' })
    const statuses = [shop.testKey, shop.liveKey, other.testKey].map(async (key) => (await send(path, { key })).status)
    expect(await Promise.all(statuses)).toEqual([200, 404, 404])
  })
})
