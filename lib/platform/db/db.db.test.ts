import { beforeAll, describe, expect, it } from 'vitest'
import { aShop } from '../../testing/shop.ts'
import { db, dbNull, insertRows } from './db.ts'

let storefrontId: string

beforeAll(async () => {
  storefrontId = (await aShop()).storefrontId
})

const checkout = (id: string) => ({
  id,
  storefront_id: storefrontId,
  testmode: true,
  status: 'created',
  customer_id: null,
  tax_behavior: 'exclusive',
  redirect_url_success: `https://shop.example/?a="b"&c=\\'d\\n`,
  redirect_url_canceled: 'https://shop.example/ñ/日本/🦜',
  metadata: '{"a":null}',
  locale: null,
  billing_address: { city: 'Łódź', companyName: null },
  draft: dbNull,
  expires_at: new Date('2026-03-29T01:30:00Z'),
  created_at: new Date('2026-10-25T00:30:00Z'),
})

const line = (id: string, checkoutId: string, position: number) => ({
  id,
  checkout_id: checkoutId,
  position,
  product_id: 'product',
  kind: 'one_off_product',
  name: '{"not": "json"}',
  description: 'a\tb\nc',
  unit_price: 9_007_199_254_740_993n,
  quantity: 999_999,
  product_type: 'saas',
  interval: null,
  interval_count: null,
  trial_days: 0,
  metadata: '',
})

describe('insertRows', () => {
  it('writes what createMany writes', async () => {
    await insertRows(db(), 'checkouts', [checkout('one')])
    await db().checkouts.createMany({ data: [checkout('other')] })
    expect(await insertRows(db(), 'checkout_lines', [line('a', 'one', 0), line('b', 'one', 1)])).toBe(2)
    await db().checkout_lines.createMany({ data: [line('c', 'other', 0), line('d', 'other', 1)] })

    const include = { lines: { orderBy: { position: 'asc' } } } as const
    const one = await db().checkouts.findUniqueOrThrow({ where: { id: 'one' }, include })
    const other = await db().checkouts.findUniqueOrThrow({ where: { id: 'other' }, include })
    const ids = ['c', 'd']
    expect({
      ...one,
      id: 'other',
      lines: one.lines.map((each, index) => ({ ...each, id: ids[index], checkout_id: 'other' })),
    }).toEqual(other)
    expect(one.lines).toHaveLength(2)
    expect(one.draft).toBeNull()
  })

  it('skips existing rows with skipDuplicates, and refuses them otherwise', async () => {
    const { id, ...rest } = checkout('twice')
    const again = { id, ...rest, status: 'paid' }
    expect(await insertRows(db(), 'checkouts', [checkout(id)])).toBe(1)
    expect(await insertRows(db(), 'checkouts', [again, checkout('new')], { skipDuplicates: true })).toBe(1)
    await expect(insertRows(db(), 'checkouts', [again])).rejects.toMatchObject({ code: '23505' })
    expect(await db().checkouts.findUnique({ where: { id }, select: { status: true } })).toEqual({ status: 'created' })
  })

  it('does nothing for no rows', async () => {
    expect(await insertRows(db(), 'checkouts', [])).toBe(0)
  })
})

it('keeps a bounded number of prepared statements, however many queries there are', async () => {
  const kept = await db().$transaction(
    async (sql) => {
      for (let n = 0; n < 600; n++) {
        const [row] = await sql.$queryRawUnsafe<{ n: number }[]>(`SELECT ${n} AS n`)
        expect(row?.n).toBe(n)
      }
      return sql.$queryRaw<{ count: bigint }[]>`SELECT count(*) FROM pg_prepared_statements`
    },
    { timeout: 30_000 },
  )
  expect(Number(kept[0]?.count)).toBeGreaterThan(400)
  expect(Number(kept[0]?.count)).toBeLessThanOrEqual(500)
})
