import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrismaClient } from '../../../prisma/client/client.ts'
import { tables } from '../../../prisma/client/tables.ts'
import { seedEverything } from '../../testing/seed-everything.ts'
import { config } from '../config.ts'
import { type Database, db, dbNull, type Sql } from './db.ts'

/**
 * Compares the values, types, and order of our results with Prisma's results, for every kind of query that the service
 * makes.
 */

let prisma: PrismaClient
let seeded: Awaited<ReturnType<typeof seedEverything>>

beforeAll(async () => {
  seeded = await seedEverything()
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: config().databaseUrl }) })
})
afterAll(async () => {
  await prisma.$disconnect()
  await seeded.close()
})

type Query = (sql: Sql) => Promise<unknown>

/** Prisma and our queries return bytes as different classes, so the tests compare hashes. A hash also keeps the diff of two large arrays readable. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${createHash('sha256').update(value).digest('hex')}`
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]))
}

const answer = async (sql: Sql | PrismaClient, query: Query) => {
  try {
    return { answer: comparable(await query(sql as Sql)) }
  } catch (error) {
    return { refused: (error as { code?: string }).code ?? (error as Error).name }
  }
}

async function compareChange(table: 'staff_form_keys' | 'checkouts' | 'brand_logos' | 'clocks', change: Query) {
  const undo = new Error('undone')
  const left: unknown[] = []
  const run = async (sql: Sql) => {
    left.push(
      await answer(sql, change),
      await answer(sql, (sql) =>
        (sql[table].findMany as (find: object) => Promise<unknown>)({ orderBy: primaryOrder(table) }),
      ),
    )
    throw undo
  }
  await expect(prisma.$transaction((sql) => run(sql as unknown as Sql))).rejects.toBe(undo)
  await expect(db().$transaction(run)).rejects.toBe(undo)
  expect(left.slice(2)).toEqual(left.slice(0, 2))
  return left[0]
}

const primaryOrder = (table: string) => {
  const [first = '', ...rest] = Object.keys(tables[table]?.columns ?? {})
  return [first, ...rest.filter((column) => tables[table]?.columns[column] !== 'Json')].map((column) => ({
    [column]: 'asc',
  }))
}

describe.each(Object.keys(tables))('queries of the table %s', (table) => {
  it('a table query returns the same rows and types as Prisma', async () => {
    const find: Query = (sql) =>
      (sql[table as 'orders'].findMany as (find: object) => Promise<unknown>)({ orderBy: primaryOrder(table) })
    expect(await answer(db(), find)).toEqual(await answer(prisma, find))
  })

  it.each(Object.keys(tables[table]?.relations ?? {}))(
    'a table query returns the same related rows as Prisma: %s',
    async (relation) => {
      const there = tables[table]?.relations[relation]
      const chosen = there?.isMany ? { orderBy: primaryOrder(there.table) } : true
      const find: Query = (sql) =>
        (sql[table as 'orders'].findMany as (find: object) => Promise<unknown>)({
          orderBy: primaryOrder(table),
          include: { [relation]: chosen },
        })
      expect(await answer(db(), find)).toEqual(await answer(prisma, find))
    },
  )
})

const early = new Date('2000-01-01T00:00:00Z')

const reads: readonly [string, Query, isEmpty?: 'empty'][] = [
  [
    'a column that equals a value, and an undefined condition',
    (sql) =>
      sql.orders.findMany({ where: { status: 'paid', checkout_id: undefined } as object, orderBy: { id: 'desc' } }),
  ],
  ['null', (sql) => sql.orders.findMany({ where: { invoice_number: null }, orderBy: { id: 'asc' } })],
  [
    'a column that is not null',
    (sql) => sql.orders.findMany({ where: { invoice_number: { not: null } }, orderBy: { id: 'asc' } }),
  ],
  [
    'a column that differs from a value',
    (sql) => sql.orders.findMany({ where: { status: { not: 'paid' } }, orderBy: { id: 'asc' } }),
  ],
  [
    'a negated filter',
    (sql) => sql.orders.findMany({ where: { status: { not: { in: ['paid'] } } }, orderBy: { id: 'asc' } }),
  ],
  ['a column in a list', (sql) => sql.orders.count({ where: { status: { in: ['paid', 'pending'] } } })],
  ['a column in an empty list', (sql) => sql.orders.findMany({ where: { id: { in: [] } } }), 'empty'],
  ['a column not in a list', (sql) => sql.orders.count({ where: { status: { notIn: ['paid', 'pending'] } } })],
  ['a nullable column not in a list', (sql) => sql.orders.count({ where: { payment_method: { notIn: ['paypal'] } } })],
  ['between', (sql) => sql.orders.count({ where: { total: { gt: 0n, lte: 5_000n }, created_at: { gte: early } } })],
  ['before', (sql) => sql.orders.findMany({ where: { created_at: { lt: early } } }), 'empty'],
  [
    'OR, AND, and NOT',
    (sql) =>
      sql.orders.count({ where: { OR: [{ status: 'paid', NOT: { total: 0n } }, { AND: [{ total: { lt: 1n } }] }] } }),
  ],
  ['an empty OR', (sql) => sql.orders.findMany({ where: { OR: [] } }), 'empty'],
  ['NOT of several conditions', (sql) => sql.orders.count({ where: { NOT: [{ status: 'paid' }, { total: 0n }] } })],
  [
    'a list column with one of several values',
    (sql) => sql.webhook_endpoints.count({ where: { enabled_events: { hasSome: ['order.paid', 'no.event'] } } }),
  ],
  [
    'a list column with a value',
    (sql) => sql.webhook_endpoints.count({ where: { enabled_events: { has: 'order.paid' } } }),
  ],
  ['text that begins with a prefix', (sql) => sql.events.count({ where: { name: { startsWith: 'order.' } } })],
  ['text that contains a part', (sql) => sql.events.count({ where: { name: { contains: 'paid' } } })],
  ['some related rows', (sql) => sql.orders.count({ where: { lines: { some: { quantity: { gt: 1 } } } } })],
  ['no related row', (sql) => sql.orders.count({ where: { lines: { none: { product_type: 'subscription' } } } })],
  ['every related row', (sql) => sql.orders.count({ where: { lines: { every: { total: { gt: 0n } } } } })],
  ['the related row', (sql) => sql.order_lines.count({ where: { order: { is: { status: 'paid' } } } })],
  ['the related row without `is`', (sql) => sql.order_lines.count({ where: { order: { status: 'paid' } } })],
  [
    'related rows of a related row',
    (sql) => sql.webhook_endpoints.count({ where: { deliveries: { some: { endpoint: { url: { contains: '1' } } } } } }),
  ],
  [
    'columns, and related rows with columns and order',
    (sql) =>
      sql.deliveries.findMany({
        select: {
          id: true,
          endpoint: { select: { url: true } },
          log: { orderBy: { number: 'desc' }, select: { number: true, status: true } },
        },
        orderBy: [{ status: 'desc' }, { id: 'asc' }],
      }),
  ],
  [
    'the first row with its related rows',
    (sql) =>
      sql.orders.findFirst({
        orderBy: [{ total: 'desc' }, { id: 'asc' }],
        include: { lines: { orderBy: { position: 'asc' } } },
      }),
  ],
  ['some', (sql) => sql.orders.findMany({ orderBy: { id: 'desc' }, take: 3 })],
  [
    'null values last',
    (sql) =>
      sql.orders.findMany({
        orderBy: [{ invoice_number: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
        select: { id: true },
      }),
  ],
  [
    'null values first',
    (sql) =>
      sql.orders.findMany({
        orderBy: [{ invoice_number: { sort: 'desc', nulls: 'first' } }, { id: 'asc' }],
        select: { id: true },
      }),
  ],
  [
    'null values in the default order',
    (sql) => sql.orders.findMany({ orderBy: [{ invoice_number: 'desc' }, { id: 'asc' }], select: { id: true } }),
  ],
  [
    'one row per distinct value',
    (sql) =>
      sql.orders.findMany({
        distinct: ['status'],
        orderBy: [{ status: 'asc' }, { id: 'desc' }],
        select: { id: true, status: true },
      }),
  ],
  [
    'a row that does not exist',
    (sql) => sql.orders.findFirstOrThrow({ where: { id: 'order_none' } }).catch(() => 'none'),
  ],
  [
    'sums',
    (sql) =>
      sql.orders.aggregate({ _count: true, _sum: { total: true }, _min: { created_at: true }, _max: { total: true } }),
  ],
  [
    'sums of zero rows',
    (sql) =>
      sql.orders.aggregate({ where: { id: 'none' }, _count: true, _sum: { total: true }, _min: { created_at: true } }),
  ],
  [
    'sums of groups of rows',
    (sql) =>
      sql.orders.groupBy({
        by: ['currency', 'status'],
        _sum: { total: true },
        _count: true,
        orderBy: [{ currency: 'asc' }, { status: 'asc' }],
      }),
  ],
  ['a sum of numbers', (sql) => sql.order_lines.aggregate({ _sum: { quantity: true } })],
]

it.each(reads)('a table query reads the same rows as Prisma: %s', async (_, query, isEmpty) => {
  const ours = await answer(db(), query)
  expect(ours).toEqual(await answer(prisma, query))
  if (isEmpty) expect(ours).toEqual({ answer: [] })
  else expect(ours).not.toSatisfy(({ answer }) => answer === undefined || answer === 0 || (answer as []).length === 0)
})

const at = new Date('2026-03-29T01:30:00.123Z')
const form = (key: string) => ({ key, subject: `of ${key}`, created_at: at })
const where = { key: 'one' }

describe.each<[string, Query[]]>([
  ['inserts', [(sql) => sql.staff_form_keys.create({ data: form('one') })]],
  [
    'inserts a row and returns columns',
    [(sql) => sql.staff_form_keys.create({ data: form('one'), select: { subject: true } })],
  ],
  ['inserts several rows', [(sql) => sql.staff_form_keys.createMany({ data: [form('one'), form('two')] })]],
  ['inserts zero rows', [(sql) => sql.staff_form_keys.createMany({ data: [] })]],
  [
    'skips existing rows',
    [
      (sql) => sql.staff_form_keys.createMany({ data: [form('one')] }),
      (sql) => sql.staff_form_keys.createMany({ data: [form('one'), form('two')], skipDuplicates: true }),
    ],
  ],
  [
    'updates',
    [
      (sql) => sql.staff_form_keys.create({ data: form('one') }),
      (sql) => sql.staff_form_keys.update({ where, data: { subject: 'other', created_at: undefined } as object }),
    ],
  ],
  [
    'updates several rows',
    [
      (sql) => sql.staff_form_keys.createMany({ data: [form('one'), form('two')] }),
      (sql) => sql.staff_form_keys.updateMany({ where: { created_at: at }, data: { subject: 'all' } }),
    ],
  ],
  [
    'upserts',
    [
      (sql) => sql.staff_form_keys.upsert({ where, create: form('one'), update: { subject: 'again' } }),
      (sql) => sql.staff_form_keys.upsert({ where, create: form('one'), update: { subject: 'again' } }),
    ],
  ],
  [
    'deletes',
    [(sql) => sql.staff_form_keys.create({ data: form('one') }), (sql) => sql.staff_form_keys.delete({ where })],
  ],
  [
    'deletes several rows',
    [
      (sql) => sql.staff_form_keys.createMany({ data: [form('one'), form('two')] }),
      (sql) => sql.staff_form_keys.deleteMany({ where: { key: { in: ['one', 'three'] } } }),
    ],
  ],
])('a table query that %s', (_, changes) => {
  it('a change through TableQueries leaves the same rows as the same change through Prisma', async () => {
    await compareChange('staff_form_keys', async (sql) => {
      const answers: unknown[] = []
      for (const change of changes) answers.push(await change(sql))
      return answers
    })
  })
})

it('a table query increments a number and writes JSON and SQL NULL as Prisma does', async () => {
  await compareChange('clocks', (sql) => sql.clocks.updateMany({ data: { ahead_seconds: { increment: 5 } } }))
  const { id } = await db().checkouts.findFirstOrThrow({ orderBy: { id: 'asc' } })
  const draft = { list: [1, 'two', null], text: 'ñ "quoted" \\' }
  for (const each of [draft, [1, 2]])
    await compareChange('checkouts', (sql) => sql.checkouts.update({ where: { id }, data: { draft: each } }))
  const cleared = await db().checkouts.update({ where: { id }, data: { draft: dbNull }, select: { draft: true } })
  expect(cleared).toEqual({ draft: null })
  expect(await prisma.$queryRaw`SELECT draft IS NULL AS "isNull" FROM checkouts WHERE id = ${id}`).toEqual([
    { isNull: true },
  ])
})

describe('unsupported queries', () => {
  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['an unknown column', (database) => database.orders.findMany({ where: { nothing: 1 } as object })],
    ['an unknown filter', (database) => database.orders.findMany({ where: { id: { endsWith: 'x' } } })],
    ['an unknown order', (database) => database.orders.findMany({ orderBy: { nothing: 'asc' } as object })],
    ['an update without data', (database) => database.orders.updateMany({ data: {} })],
    ['a part of related rows', (database) => database.orders.findMany({ include: { lines: { take: 1 } } })],
  ])('a table query refuses %s', async (_, query) => {
    await expect(query(db())).rejects.toThrow()
  })
})

it('an update or delete without a matching row throws', async () => {
  await expect(db().orders.update({ where: { id: 'none' }, data: { status: 'paid' } })).rejects.toThrow('orders')
  await expect(db().orders.delete({ where: { id: 'none' } })).rejects.toThrow('orders')
})
