import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { log } from '../../platform/log.ts'
import { tasks } from '../../server/jobs.ts'
import { aGate } from '../../testing/gate.ts'
import { deliverPatiently } from '../../testing/patience.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, runDueTasks, type Shop } from '../../testing/shop.ts'
import { advanceByDuration } from '../../workflows/test-helpers/operations.ts'
import { transact } from '../events/transact.ts'
import { register } from './operations.ts'

deliverPatiently()

let shop: Shop
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeEach(async () => {
  await receiver?.close()
  await db().tasks.deleteMany()
  shop = await aShop()
  receiver = await aReceiver()
  await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
})
afterAll(() => receiver.close())

const emit = (id: string) => transact(shop.scope, (tx) => tx.emit({ name: 'order.paid', object: { id } }))

describe('deliveries during an advance', () => {
  it('a test clock advance makes up to 32 concurrent attempts at a webhook endpoint', async () => {
    const { open, opened } = aGate()
    receiver.answer = (response) => opened.then(() => response.end())
    for (let n = 0; n < 40; n++) await emit(`order ${n}`)
    const moving = advanceByDuration(shop.scope, { by: { hours: 1 } }, tasks.embedded)
    await expect.poll(() => receiver.events().length).toBe(32)
    open()
    expect(await moving).toMatchObject({ ran: 40, remaining: 0 })
    expect(receiver.events().length).toBe(40)
  })

  it('if one webhook delivery cannot be recorded, a test clock advance still makes the other deliveries', async () => {
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined)
    await db().$executeRawUnsafe(`
      CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM deliveries WHERE id = NEW.delivery_id AND entity_id = 'order lost') THEN
          RAISE EXCEPTION 'refused'; END IF;
        RETURN NEW; END $$`)
    await db().$executeRawUnsafe(
      'CREATE TRIGGER refuse_attempt BEFORE INSERT ON delivery_attempts FOR EACH ROW EXECUTE FUNCTION refuse_attempt()',
    )
    try {
      for (const order of ['order lost', 'order kept', 'order lost']) await emit(order)
      expect(await advanceByDuration(shop.scope, { by: { hours: 1 } }, tasks.embedded)).toMatchObject({
        ran: 1,
        remaining: 2,
      })
      expect(receiver.events().filter(({ body }) => body.entityId === 'order kept').length).toBe(1)
    } finally {
      await db().$executeRawUnsafe('DROP FUNCTION refuse_attempt() CASCADE')
      logged.mockRestore()
    }
    await expect
      .poll(async () => {
        await runDueTasks()
        return db().deliveries.count({ where: { storefront_id: shop.storefrontId, status: 'pending' } })
      })
      .toBe(0)
  })

  it('a test clock advance starts each webhook delivery at its due time on the test clock', async () => {
    await emit('order 1')
    const due = await db().tasks.findFirstOrThrow({
      where: { storefront_id: shop.storefrontId, stream: { not: null } },
    })
    await advanceByDuration(shop.scope, { by: { days: 30 } }, tasks.embedded)
    const delivered = await db().deliveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(delivered).toMatchObject({ status: 'delivered', started_at: due.due_at, first_answered_at: due.due_at })
  })
})
