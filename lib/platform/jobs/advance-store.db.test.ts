import { expect, it } from 'vitest'
import { aGate } from '../../testing/gate.ts'
import { aShop } from '../../testing/shop.ts'
import { db } from '../db/db.ts'
import { beginAdvance, extendAdvance } from './advance-store.ts'
import { claimAdvance } from './test-clock.ts'

it('extendAdvance extends the lease of an advance and does not wait for a locked clock', async () => {
  const { storefrontId } = await aShop()
  const [now, target] = [new Date('2026-11-25T00:00:00Z'), new Date('2026-11-26T00:00:00Z')]
  await beginAdvance(db(), storefrontId, { now, target, movedBy: null, first: [] })
  const runnerId = (await claimAdvance(db(), storefrontId)) ?? ''
  const until = async () =>
    (await db().clocks.findUniqueOrThrow({ where: { storefront_id: storefrontId } })).advance_leased_until?.getTime() ??
    0
  await db().clocks.updateMany({ where: { storefront_id: storefrontId }, data: { advance_leased_until: now } })

  const [locked, release] = [aGate(), aGate()]
  const other = db().$transaction(async (sql) => {
    await sql.$executeRaw`SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} FOR UPDATE`
    locked.open()
    await release.opened
  })
  await locked.opened
  expect(await extendAdvance(storefrontId, runnerId, true)).toBe(true)
  expect(await until()).toBe(now.getTime())
  release.open()
  await other

  expect(await extendAdvance(storefrontId, runnerId, true)).toBe(true)
  expect(await until()).toBeGreaterThan(now.getTime())
  expect(await extendAdvance(storefrontId, 'another', true)).toBe(false)
})
