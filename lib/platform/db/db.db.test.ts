import { beforeAll, describe, expect, it } from 'vitest'
import { aShop } from '../../testing/shop.ts'
import { db, dbNull, hasOtherColumns, insertRows, type Sql } from './db.ts'
import { isUnavailable } from './unavailable.ts'

let storefrontId: string

beforeAll(async () => {
  storefrontId = (await aShop()).storefrontId
})

const checkout = (id: string) => ({
  id,
  storefront_id: storefrontId,
  testmode: true,
  status: 'created' as const,
  customer_id: null,
  tax_behavior: 'exclusive' as const,
  redirect_url_success: `https://shop.example/?a="b"&c=\\'d\\n`,
  redirect_url_canceled: 'https://shop.example/ñ/日本/🦜',
  payment_link_id: null,
  form_key: null,
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
  kind: 'one_off_product' as const,
  name: '{"not": "json"}',
  description: 'a\tb\nc',
  unit_price: 9_007_199_254_740_993n,
  quantity: 999_999,
  product_type: 'saas' as const,
  interval: null,
  interval_count: null,
  trial_days: 0,
  metadata: '',
})

describe('insertRows', () => {
  it('insertRows writes the same rows as createMany', async () => {
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

  it('insertRows refuses existing rows, or skips existing rows if the option skipDuplicates is set', async () => {
    const { id, ...rest } = checkout('twice')
    const again = { id, ...rest, status: 'paid' as const }
    expect(await insertRows(db(), 'checkouts', [checkout(id)])).toBe(1)
    expect(await insertRows(db(), 'checkouts', [again, checkout('new')], { skipDuplicates: true })).toBe(1)
    await expect(insertRows(db(), 'checkouts', [again])).rejects.toMatchObject({ code: '23505' })
    expect(await db().checkouts.findUnique({ where: { id }, select: { status: true } })).toEqual({ status: 'created' })
  })

  it('insertRows does nothing with an empty list', async () => {
    expect(await insertRows(db(), 'checkouts', [])).toBe(0)
  })

  it('insertRows writes the default value of a column that the running version of the code does not know', async () => {
    const undo = new Error('the column goes again')
    const added = db().$transaction(async (sql) => {
      await sql.$executeRaw`ALTER TABLE checkouts ADD COLUMN added text NOT NULL DEFAULT 'as ever'`
      await insertRows(sql, 'checkouts', [checkout('older')])
      expect(await sql.$queryRaw`SELECT added FROM checkouts WHERE id = 'older'`).toEqual([{ added: 'as ever' }])
      throw undo
    })
    await expect(added).rejects.toBe(undo)
  })
})

it('a statement is prepared again after a migration changes its table', async () => {
  await db().$executeRaw`CREATE TABLE changing (one int)`
  const read = () => db().$transaction((sql) => sql.$queryRaw`SELECT * FROM changing`)
  await read()
  await db().$executeRaw`ALTER TABLE changing ADD COLUMN other int`
  // The connection with the old prepared statement fails once and is then replaced.
  await expect(read()).rejects.toSatisfy(hasOtherColumns)
  expect(await read()).toEqual([])
  await db().$executeRaw`DROP TABLE changing`
})

it('a connection keeps at most 500 prepared statements', async () => {
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

describe('transactions', () => {
  const count = () => db().staff_form_keys.count()
  const key = (key: string) => ({ data: { key, subject: 'a test', created_at: new Date() } })

  it('a transaction commits its changes and returns its result', async () => {
    const before = await count()
    expect(await db().$transaction(async (sql) => (await sql.staff_form_keys.create(key('committed'))).key)).toBe(
      'committed',
    )
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['its work throws', async () => Promise.reject(new Error('no')), 'no'],
    ['a statement fails', async (sql: Sql) => sql.$queryRaw`SELECT 1 / 0`, 'division by zero'],
    [
      'one of several statements that are sent together fails',
      async (sql: Sql) => Promise.all([sql.$queryRaw`SELECT 1 / 0`, sql.$queryRaw`SELECT 1`]),
      'division by zero',
    ],
    [
      'a failure of a statement is swallowed',
      async (sql: Sql) => sql.$queryRaw`SELECT 1 / 0`.catch(() => undefined),
      'rolled back',
    ],
  ])('a transaction leaves no change if %s', async (_, fail, message) => {
    const before = await count()
    const work = async (sql: Sql) => {
      await sql.staff_form_keys.create(key('left'))
      await fail(sql)
    }
    await expect(db().$transaction(work)).rejects.toThrow(message)
    expect(await count()).toBe(before)
  })

  it('a statement on a finished transaction throws', async () => {
    const kept = await db().$transaction(async (sql) => ({ sql }))
    await expect(kept.sql.$queryRaw`SELECT 1`).rejects.toThrow('has ended')
  })

  it('a transaction over its time limit is rolled back and counts as a temporary outage', async () => {
    const before = await count()
    const late = db().$transaction(async (sql) => sql.staff_form_keys.create(key('late')), { timeout: -1 })
    await expect(late).rejects.toSatisfy(isUnavailable)
    expect(await count()).toBe(before)
  })

  it('a snapshot transaction does not see rows that were inserted after its first read', async () => {
    const [seen, after] = await db().$transaction(
      async (sql) => {
        const seen = await sql.staff_form_keys.count()
        await db().staff_form_keys.create(key('meanwhile'))
        return [seen, await sql.staff_form_keys.count()]
      },
      { isolationLevel: 'RepeatableRead' },
    )
    expect(after).toBe(seen)
  })
})

it('a database error does not contain the values of a row', async () => {
  const data = { key: 'twice', subject: 'a secret', created_at: new Date() }
  await db().staff_form_keys.create({ data })
  const error = await db()
    .staff_form_keys.create({ data })
    .catch((error: unknown) => error)
  expect(error).toMatchObject({ code: '23505' })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('twice')
})
