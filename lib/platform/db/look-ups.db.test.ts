import { beforeAll, describe, expect, it } from 'vitest'
import { aShop, type Shop } from '../../testing/shop.ts'
import { db } from './db.ts'
import { connectionCounts } from './pool.ts'

let shop: Shop
beforeAll(async () => {
  shop = await aShop()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
const names = (ids: readonly string[]) =>
  ids.map((id) => db().storefronts.findUnique({ where: { id }, select: { id: true } }))

describe('look-ups that are asked for at once', () => {
  it('share connections, eight on each, and each gets its own row', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? shop.storefrontId : `storefront_${n}`))
    const found = names(ids)
    const before = connectionCounts().busy
    await turn()
    await turn()
    expect(before).toBe(0)
    expect([1, 2, 3]).toContain(connectionCounts().busy)
    expect(await Promise.all(found)).toEqual(ids.map((id) => (id === shop.storefrontId ? { id } : null)))
    await expect.poll(() => connectionCounts().busy).toBe(0)
  })

  it('fail alone', async () => {
    const found = await Promise.allSettled(names([shop.storefrontId, 'a\0b', shop.storefrontId]))
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await db().storefronts.findUnique({ where: { id: shop.storefrontId }, select: { id: true } })).not.toBeNull()
  })

  it('see what was committed before they were asked for, and in a transaction what it wrote', async () => {
    const where = { id: shop.storefrontId }
    await db().storefronts.update({ where, data: { name: 'Before' } })
    expect(await db().storefronts.findUnique({ where, select: { name: true } })).toEqual({ name: 'Before' })
    await db().$transaction(async (sql) => {
      await sql.storefronts.update({ where, data: { name: 'Within' } })
      expect(await sql.storefronts.findUnique({ where, select: { name: true } })).toEqual({ name: 'Within' })
      expect(await db().storefronts.findUnique({ where, select: { name: true } })).toEqual({ name: 'Before' })
    })
  })
})
