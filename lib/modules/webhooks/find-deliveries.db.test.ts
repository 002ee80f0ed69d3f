import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { tasks } from '../../server/jobs.ts'
import { answered, aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { advanceByDuration } from '../../workflows/test-helpers/operations.ts'
import type { EventName } from '../events/event-types.ts'
import { transact } from '../events/transact.ts'
import { type DeliveryFilter, pageOfDeliveries } from './find-deliveries.ts'
import { register } from './operations.ts'

let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>
let firstId: string
let secondId: string

const emit = (name: EventName, id: string) => transact(shop.scope, (tx) => tx.emit({ name, object: { id } }))

beforeAll(async () => {
  await db().tasks.deleteMany()
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  receiver = await aReceiver()
  const secret = 'whsec_0123456789'
  firstId = (await register(shop.scope, { url: `${receiver.url}/a`, secret })).id
  secondId = (await register(shop.scope, { url: `${receiver.url}/b`, secret })).id
  for (const n of [1, 2, 3]) await emit('order.paid', `order_${n}`)
  await emit('refund.failed', 'refund_1')
  await runDueTasks()
  await advanceByDuration(shop.scope, { by: { days: 1 } }, tasks.embedded)
  receiver.answer = answered(500)
  await emit('order.paid', 'order_4')
  await emit('refund.failed', 'refund_2')
  await runDueTasks()
})
afterAll(() => receiver.close())

const shown = async (filter: DeliveryFilter, query: object = {}) => {
  const { rows, ...beside } = await pageOfDeliveries(db(), shop.scope, { limit: 50, ...query }, filter)
  return {
    rows: rows.map(({ entityId, endpointId }) => `${entityId} ${endpointId === firstId ? 'a' : 'b'}`),
    ...beside,
  }
}

describe('list of deliveries', () => {
  it.each<[string, () => DeliveryFilter, string[]]>([
    ['an event name', () => ({ eventName: 'refund.failed' }), ['refund_2 b', 'refund_2 a', 'refund_1 b', 'refund_1 a']],
    ['an entity', () => ({ entityId: 'order_2' }), ['order_2 b', 'order_2 a']],
    ['an entity and another event name', () => ({ entityId: 'order_2', eventName: 'refund.failed' }), []],
    [
      'an event name and an endpoint',
      () => ({ eventName: 'refund.failed', endpointId: secondId }),
      ['refund_2 b', 'refund_1 b'],
    ],
    [
      'an event name and a rare status',
      () => ({ eventName: 'order.paid', status: 'pending' }),
      ['order_4 b', 'order_4 a'],
    ],
    ['an entity and a rare status', () => ({ entityId: 'order_4', status: 'pending' }), ['order_4 b', 'order_4 a']],
    [
      'an event name and the usual status',
      () => ({ eventName: 'order.paid', status: 'delivered', endpointId: firstId }),
      ['order_3 a', 'order_2 a', 'order_1 a'],
    ],
    ['a status that no delivery has', () => ({ eventName: 'order.paid', status: 'stopped' }), []],
    ['an unknown entity', () => ({ entityId: 'order_9' }), []],
  ])('the list of deliveries is filtered by %s', async (_, filter, rows) => {
    expect(await shown(filter())).toEqual({ rows, next: false, prev: false })
  })

  it.each<[string, DeliveryFilter]>([
    ['without a further filter', {}],
    ['of one event name', { eventName: 'order.paid' }],
    ['of one event name and a rare status', { eventName: 'order.paid', status: 'pending' }],
  ])('in a list of deliveries %s, a filter by the day of creation uses the storefront’s clock', async (_, filter) => {
    const secondDay = new Date('2027-01-02T00:00:00Z')
    const after = await shown(filter, { createdAfter: secondDay })
    const before = await shown(filter, { createdBefore: secondDay })
    expect(after.rows).toContain('order_4 a')
    expect(after.rows).not.toContain('order_3 a')
    expect(before.rows).not.toContain('order_4 a')
    expect(before.rows.length + after.rows.length).toBe((await shown(filter)).rows.length)
  })

  it.each<[string, () => DeliveryFilter]>([
    ['no filter', () => ({})],
    ['an event name', () => ({ eventName: 'order.paid' })],
    ['an event name and a status', () => ({ eventName: 'order.paid', status: 'delivered' })],
    ['an event name and a rare status', () => ({ eventName: 'order.paid', status: 'pending' })],
    ['an entity', () => ({ entityId: 'order_1' })],
  ])(
    'the pages of deliveries filtered by %s contain each delivery exactly once, in both directions',
    async (_, filter) => {
      const page = (query: object) => pageOfDeliveries(db(), shop.scope, { limit: 1, ...query }, filter())
      const all = (await pageOfDeliveries(db(), shop.scope, { limit: 50 }, filter())).rows.map(({ id }) => id)
      expect(all.length).toBeGreaterThan(1)
      const forward: string[] = []
      let at = await page({})
      expect(at.prev).toBe(false)
      for (;;) {
        forward.push(at.rows[0]?.id ?? '')
        if (!at.next) break
        at = await page({ startingAfter: forward.at(-1) })
        expect(at.prev).toBe(true)
      }
      expect(forward).toEqual(all)
      const backward = [all.at(-1) ?? '']
      for (at = await page({ endingBefore: backward[0] }); ; at = await page({ endingBefore: backward[0] })) {
        backward.unshift(at.rows[0]?.id ?? '')
        expect(at.next).toBe(true)
        if (!at.prev) break
      }
      expect(backward).toEqual(all)
    },
  )

  it('the list of deliveries excludes deliveries of other storefronts and modes, and refuses their cursors', async () => {
    const other = await aShop()
    const filter = { eventName: 'order.paid' }
    const [row] = (await pageOfDeliveries(db(), shop.scope, { limit: 1 }, filter)).rows
    for (const tenant of [other.scope, { ...shop.scope, testmode: false }]) {
      expect((await pageOfDeliveries(db(), tenant, { limit: 50 }, filter)).rows).toEqual([])
      for (const cursor of ['startingAfter', 'endingBefore'])
        await expect(pageOfDeliveries(db(), tenant, { limit: 50, [cursor]: row?.id }, filter)).rejects.toMatchObject({
          code: 'validation_failed',
          on: { [cursor]: ['Must be the id of a resource of this list.'] },
        })
    }
    const both = { limit: 50, startingAfter: row?.id, endingBefore: row?.id }
    const notBoth = ['Send startingAfter or endingBefore, not both.']
    await expect(pageOfDeliveries(db(), shop.scope, both, filter)).rejects.toMatchObject({
      code: 'validation_failed',
      on: { startingAfter: notBoth, endingBefore: notBoth },
    })
  })
})
