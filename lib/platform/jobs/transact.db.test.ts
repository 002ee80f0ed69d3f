import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { register } from '../../modules/webhooks/operations.ts'
import { allRows } from '../../testing/all-rows.ts'
import { barrier } from '../../testing/barrier.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { db } from '../db/db.ts'
import { Reschedule, task } from './tasks.ts'
import { StaleClaim } from './transact.ts'

const note = task('test.note', z.object({ text: z.string() }))
const object = { id: 'checkout_0000000000000000000001', status: 'canceled' }

let shop: Shop

beforeAll(async () => {
  shop = await aShop()
  const receiver = await aReceiver()
  await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
  await receiver.close()
})

const steps =
  (failing?: string) =>
  async ({ sql, emit, enqueue, now, newId, storefrontId, testmode }: Transaction) => {
    const reached = (step: string) => {
      if (step === failing) throw new Error(`after ${step}`)
    }
    const id = newId('customer_')
    await sql.customers.create({
      data: { id, storefront_id: storefrontId, testmode, email: `${id}@a.example`, created_at: now },
    })
    reached('change')
    await emit({ name: 'checkout.canceled', object })
    reached('event')
    await enqueue(note, { key: id, data: { text: 'a' }, dueAt: now })
    reached('task')
    await emit({ name: 'order.canceled', object: { id: 'order_0000000000000000000001' } })
    return id
  }

describe('transactions', () => {
  it('a transaction commits the change, events, deliveries, task and response together', async () => {
    let answered: unknown
    const answer = async (_: unknown, result: unknown) => {
      answered = result
      return null
    }
    const id = await transact({ ...shop.scope, answer }, steps())
    expect(answered).toBe(id)
    const [first, second] = await db().events.findMany({ orderBy: { id: 'asc' } })
    expect([first?.name, second?.name]).toEqual(['checkout.canceled', 'order.canceled'])
    expect([first?.causation_id, second?.causation_id]).toEqual([first?.id, first?.id])
    const deliveries = await db().deliveries.findMany({ orderBy: { id: 'asc' } })
    expect(deliveries.map((delivery) => delivery.event_id)).toEqual([first?.id, second?.id])
    const tasks = await db().tasks.findMany()
    expect(tasks.map(({ key }) => key).sort()).toEqual([id, ...deliveries.map((delivery) => delivery.id)].sort())
  })

  it('the first event of a transaction is the cause of the later events, except independent events', async () => {
    const order = (n: number) =>
      ({ name: 'order.canceled', object: { id: `order_${String(n).padStart(22, '0')}` } }) as const
    const before = (await db().events.findMany()).map(({ id }) => id)
    await transact(shop.scope, async ({ emit, emitAll }) => {
      await emit(order(1), order(2), order(3))
      await emitAll([order(4), order(5)])
      await emit(order(6))
    })
    const events = await db().events.findMany({ where: { id: { notIn: before } }, orderBy: { id: 'asc' } })
    const [first, , , fourth, fifth] = events.map(({ id }) => id)
    expect(events.map(({ entity_id }) => entity_id)).toEqual([1, 2, 3, 4, 5, 6].map((n) => order(n).object.id))
    expect(events.map(({ causation_id }) => causation_id)).toEqual([first, first, first, fourth, fifth, first])
  })

  it.each(['change', 'event', 'task'])('a transaction changes nothing if it throws after its %s', async (step) => {
    const before = await allRows()
    await expect(transact(shop.scope, steps(step))).rejects.toThrow(`after ${step}`)
    expect(await allRows()).toEqual(before)
  })

  it('a transaction changes nothing if its response cannot be stored', async () => {
    const before = await allRows()
    const answer = async () => {
      throw new Error('no answer')
    }
    await expect(transact({ ...shop.scope, answer }, steps())).rejects.toThrow('no answer')
    expect(await allRows()).toEqual(before)
  })

  it.each([undefined, new Reschedule(new Date('2030-01-01T00:00:00Z'))])(
    'a transaction with a stale claim changes nothing (result: %s)',
    async (result) => {
      await transact(shop.scope, ({ enqueue, now }) =>
        enqueue(note, { key: 'fenced', data: { text: 'a' }, dueAt: now }),
      )
      const { id, claim_version } = await db().tasks.findFirstOrThrow({ where: { key: 'fenced' } })
      const before = await allRows()
      const late = transact({ ...shop.scope, claim: { taskId: id, claimVersion: claim_version - 1 } }, async (tx) => {
        await steps()(tx)
        return result
      })
      await expect(late).rejects.toThrow(StaleClaim)
      expect(await allRows()).toEqual(before)
    },
  )

  it('a transaction is not retried after a refusal', async () => {
    let tries = 0
    const refused = transact(shop.scope, async () => {
      tries++
      throw new Refusal('illegal_move')
    })
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'illegal_move' }))
    expect(tries).toBe(1)
  })
})

describe('conflicts', () => {
  it.each(['model', 'raw'])(
    'after a deadlock, a transaction is retried and both changes are made exactly once (%s queries)',
    async (how) => {
      const ids = await Promise.all([transact(shop.scope, steps()), transact(shop.scope, steps())])
      const bothHold = barrier(2)
      const works: Transaction[] = []
      const rename = (tx: Transaction, id: string) =>
        how === 'raw'
          ? tx.sql.$executeRaw`UPDATE customers SET name = concat(name, 'x') WHERE id = ${id}`
          : tx.sql.customers.update({ where: { id }, data: { name: 'x' } })
      const both = (first: string, second: string) =>
        transact(shop.scope, async (tx) => {
          works.push(tx)
          await rename(tx, first)
          await tx.emit({ name: 'order.paid', object: { id: `order_${how}` } })
          await bothHold()
          await rename(tx, second)
        })
      const [a = '', b = ''] = ids
      await Promise.all([both(a, b), both(b, a)])
      expect(works.length).toBe(3)
      expect(new Set(works).size).toBe(works.length)
      expect(await db().events.count({ where: { entity_id: `order_${how}` } })).toBe(2)
      if (how === 'raw')
        expect((await db().customers.findMany({ where: { id: { in: ids } } })).map(({ name }) => name)).toEqual([
          'xx',
          'xx',
        ])
    },
  )

  it.each(['model', 'raw'])('a transaction is retried after a unique violation (%s queries)', async (how) => {
    const bothRead = barrier(2)
    const email = `${how}@a.example`
    const getOrCreate = () =>
      transact(shop.scope, async ({ sql, now, newId, emit, ...tenant }) => {
        const ownedBy = { storefront_id: tenant.storefrontId, testmode: true }
        const held = await sql.customers.findFirst({ where: { ...ownedBy, email } })
        await bothRead()
        if (held) return held.id
        const id = newId('customer_')
        await emit({ name: 'order.paid', object: { id: `order_race_${how}` } })
        if (how === 'model') await sql.customers.create({ data: { ...ownedBy, id, email, created_at: now } })
        else
          await sql.$executeRaw`
            INSERT INTO customers (id, storefront_id, testmode, email, created_at)
            VALUES (${id}, ${ownedBy.storefront_id}, true, ${email}, ${now})`
        return id
      })
    const [one, other] = await Promise.all([getOrCreate(), getOrCreate()])
    expect(one).toBe(other)
    expect(await db().events.count({ where: { entity_id: `order_race_${how}` } })).toBe(1)
  })
})
