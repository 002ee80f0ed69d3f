import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aShop, type Shop } from '../../testing/shop.ts'
import { turnsOf } from '../../testing/turns.ts'
import { changeNow, db } from './db.ts'
import { fragment } from './fragment.ts'
import type { LastChange } from './last-change.ts'

let shop: Shop
beforeAll(async () => {
  shop = await aShop()
})
beforeEach(() => db().storefronts.update({ where: { id: shop.storefrontId }, data: { name: 'before' } }))

const otherwise = () => new Error('somebody was faster')
const named = (before: string, rows: number): LastChange => ({
  change: fragment`UPDATE storefronts SET name = 'after' WHERE id = ${shop.storefrontId} AND name = ${before}`,
  must: { rows, otherwise },
})
const insertMerchant = (id: string) => ({
  change: fragment`INSERT INTO merchants (id, name, created_at) VALUES (${id}, 'Lumen', now())`,
  must: null,
})
const nameNow = async () => (await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })).name
const merchants = (id: string) => db().merchants.count({ where: { id } })

const endingWith = (id: string, ...changes: LastChange[]) =>
  db().$transaction(async (sql, withCommit) => {
    await sql.$executeRaw(insertMerchant(id).change)
    for (const change of changes) withCommit(change)
    return 'done'
  })

describe('changes sent with the COMMIT', () => {
  it('a change sent with the COMMIT needs no extra round trip', async () => {
    const [transaction, ...others] = await turnsOf(async () => {
      expect(await endingWith('merchant_a', named('before', 1))).toBe('done')
    })
    expect([await nameNow(), await merchants('merchant_a'), others]).toEqual(['after', 1, []])
    expect(transaction?.map((turn) => turn.map((text) => /\w+/.exec(text)?.[0]))).toEqual([
      ['BEGIN', 'INSERT'],
      ['WITH', 'COMMIT'],
    ])
  })

  it.each([0, 2])('a change of one row sent with the COMMIT is rolled back if %i rows are required', async (rows) => {
    await expect(endingWith('merchant_b', named('before', rows))).rejects.toThrow(otherwise())
    expect([await nameNow(), await merchants('merchant_b')]).toEqual(['before', 0])
  })

  it('the transaction is rolled back if one of several changes sent with the COMMIT affects no row', async () => {
    await expect(endingWith('merchant_c', named('other', 1), insertMerchant('merchant_d'))).rejects.toThrow(otherwise())
    expect([await merchants('merchant_c'), await merchants('merchant_d')]).toEqual([0, 0])
  })

  it('a change sent with the COMMIT throws the database error of its statement', async () => {
    await expect(endingWith('merchant_e', insertMerchant('merchant_e'))).rejects.toMatchObject({ code: '23505' })
    expect(await merchants('merchant_e')).toBe(0)
  })

  it('a change sent with the COMMIT may affect zero rows if no number of rows is required', async () => {
    const { change } = named('other', 1)
    expect(await endingWith('merchant_f', { change, must: null })).toBe('done')
    expect([await nameNow(), await merchants('merchant_f')]).toEqual(['before', 1])
  })

  it('a refused change sent with the COMMIT leaves the connection usable', async () => {
    for (let n = 0; n < 30; n++) await expect(endingWith('merchant_g', named('other', 1))).rejects.toThrow(otherwise())
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => endingWith(`merchant_h${n}`, insertMerchant(`merchant_i${n}`))),
    )
    expect(await db().merchants.count({ where: { id: { startsWith: 'merchant_i' } } })).toBe(30)
  })
})

it('changeNow makes a change outside a transaction, and refuses a change to a wrong number of rows', async () => {
  await changeNow(db(), named('before', 1))
  expect(await nameNow()).toBe('after')
  await expect(changeNow(db(), named('before', 1))).rejects.toThrow(otherwise())
})
