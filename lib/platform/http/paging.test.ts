import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { makeId } from '../../kernel/ids.ts'
import { listEnvelope, listQuery, type PageQuery, page, type Source } from './paging.ts'

vi.mock('../config.ts', () => ({ config: () => ({ publicBaseUrl: 'https://pay.example' }) }))

interface Row {
  readonly id: string
  readonly hidden: boolean
}
const idOf = (n: number) => makeId('order_', n, 0n, 0n)

const sourceOf = (rows: Row[]): Source<Row, object, { hidden?: false }> => ({
  own: {},
  filter: rows.some(({ hidden }) => hidden) ? { hidden: false } : {},
  one: async (asked) => matching(rows, asked)[0] ?? null,
  find: async (asked) => matching(rows, asked).slice(0, asked.take),
})

type Asked = Parameters<Source<Row, object, { hidden?: false }>['one']>[0]
function matching(rows: Row[], { where: { id: sought, ...filter }, orderBy }: Asked): Row[] {
  const found = rows.filter(({ id, hidden }) => {
    if ('hidden' in filter && hidden) return false
    if (typeof sought !== 'object') return sought === undefined || id === sought
    const { gt, gte, lt } = sought
    return (gt === undefined || id > gt) && (gte === undefined || id >= gte) && (lt === undefined || id < lt)
  })
  return orderBy.id === 'asc' ? found : found.reverse()
}
const listOf = fc
  .array(fc.boolean(), { maxLength: 40 })
  .map((hidden): Row[] => hidden.map((each, n) => ({ id: idOf(n), hidden: each })))
const limits = fc.integer({ min: 1, max: 7 })

async function walk(
  source: ReturnType<typeof sourceOf>,
  query: PageQuery,
  direction: 'next' | 'prev',
): Promise<Row[][]> {
  const pages: Row[][] = []
  for (let at = query; ; ) {
    const found = await page(at, source)
    pages.push(found.rows)
    if (!found[direction] || pages.length > 100) return pages
    const cursor = direction === 'next' ? { startingAfter: found.rows.at(-1)?.id } : { endingBefore: found.rows[0]?.id }
    at = { limit: query.limit, oldestFirst: query.oldestFirst, ...cursor }
  }
}

describe('lists', () => {
  it('following the next links of a list returns every row exactly once, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(listOf, limits, async (rows, limit) => {
        const visible = rows.filter((row) => !row.hidden).reverse()
        const pages = await walk(sourceOf(rows), { limit }, 'next')
        expect(pages.flat()).toEqual(visible)
        for (const found of pages.slice(0, -1)) expect(found.length).toBe(limit)
      }),
    )
  })

  it('following the prev links of a list returns every row before the cursor exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(listOf, limits, fc.nat(), async (rows, limit, nth) => {
        fc.pre(rows.length > 0)
        const cursor = rows[nth % rows.length]?.id ?? ''
        const newer = rows.filter((row) => !row.hidden && row.id > cursor).reverse()
        const pages = await walk(sourceOf(rows), { limit, endingBefore: cursor }, 'prev')
        expect(pages.reverse().flat()).toEqual(newer)
      }),
    )
  })

  it('the next and prev links of a list in ascending order return every row exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(listOf, limits, fc.nat(), async (rows, limit, nth) => {
        const visible = rows.filter((row) => !row.hidden)
        const query = { limit, oldestFirst: true }
        expect((await walk(sourceOf(rows), query, 'next')).flat()).toEqual(visible)
        const cursor = rows[nth % Math.max(rows.length, 1)]?.id
        if (cursor === undefined) return
        const back = await walk(sourceOf(rows), { ...query, endingBefore: cursor }, 'prev')
        expect(back.reverse().flat()).toEqual(visible.filter(({ id }) => id < cursor))
        const after = await page({ ...query, startingAfter: cursor }, sourceOf(rows))
        const [first, last] = [after.rows[0]?.id, after.rows.at(-1)?.id]
        if (first === undefined || last === undefined) return
        expect(after.prev).toBe(visible.some(({ id }) => id < first))
        expect(after.next).toBe(visible.some(({ id }) => id > last))
      }),
    )
  })

  it('a list page reports whether rows exist before and after the page', async () => {
    await fc.assert(
      fc.asyncProperty(
        listOf,
        limits,
        fc.nat(),
        fc.constantFrom('startingAfter', 'endingBefore'),
        async (rows, limit, nth, side) => {
          fc.pre(rows.length > 0)
          const visible = rows.filter((row) => !row.hidden)
          const found = await page({ limit, [side]: rows[nth % rows.length]?.id }, sourceOf(rows))
          const [newest, oldest] = [found.rows[0]?.id, found.rows.at(-1)?.id]
          if (newest === undefined || oldest === undefined) return
          expect(found.next).toBe(visible.some((row) => row.id < oldest))
          expect(found.prev).toBe(visible.some((row) => row.id > newest))
        },
      ),
    )
  })

  it('a list page needs one query, a second query for a cursor, and more queries only if a filter can exclude the cursor’s row', async () => {
    const rows: Row[] = [0, 1, 2, 3].map((n) => ({ id: idOf(n), hidden: false }))
    const asked: string[] = []
    const source = sourceOf(rows)
    const counted = (filter: { hidden?: false }): typeof source => ({
      own: {},
      filter,
      one: (sought) => {
        asked.push(`one ${JSON.stringify(sought.where)}`)
        return source.one(sought)
      },
      find: (range) => {
        asked.push(`find ${range.take}`)
        return source.find(range)
      },
    })
    const cursor = `one {"id":"${idOf(2)}"}`
    const expected = { rows: [rows[1]], next: true, prev: true }
    expect(await page({ limit: 1, startingAfter: idOf(2) }, counted({}))).toEqual(expected)
    expect(asked.splice(0)).toEqual(['find 2', cursor])
    expect(await page({ limit: 1, startingAfter: idOf(2) }, counted({ hidden: false }))).toEqual(expected)
    expect(asked).toEqual(['find 2', cursor, `one {"hidden":false,"id":{"gt":"${idOf(1)}"}}`])
  })

  it('a list accepts the cursor of a row outside its filter, and refuses an unknown cursor', async () => {
    const rows = [0, 1, 2].map((n) => ({ id: idOf(n), hidden: n === 1 }))
    expect((await page({ limit: 10, startingAfter: idOf(1) }, sourceOf(rows))).rows).toEqual([rows[0]])
    for (const field of ['startingAfter', 'endingBefore']) {
      for (const cursor of [idOf(9), '', 'order_1', "'; DROP TABLE orders", '\u0000']) {
        await expect(page({ limit: 10, [field]: cursor }, sourceOf(rows))).rejects.toMatchObject({
          code: 'validation_failed',
          on: { [field]: [expect.any(String)] },
        })
      }
    }
  })

  it('a list request with two cursors is refused with an error on both parameters', async () => {
    const both = { limit: 10, startingAfter: idOf(0), endingBefore: idOf(1) }
    await expect(page(both, sourceOf([]))).rejects.toMatchObject({
      on: {
        startingAfter: ['Send startingAfter or endingBefore, not both.', 'Must be the id of a resource of this list.'],
        endingBefore: ['Send startingAfter or endingBefore, not both.', 'Must be the id of a resource of this list.'],
      },
    })
  })
})

describe('limits', () => {
  it.each([
    ['1', 1],
    ['100', 100],
    [undefined, 10],
  ])('the limit of a list may be %s', (limit, expected) => {
    expect(listQuery({}).parse({ limit }).limit).toBe(expected)
  })

  it.each(['0', '101', '-1', '1.5', '1e1', '', ' 5', 'ten', '99999'])('the limit of a list may not be %j', (limit) => {
    expect(listQuery({}).safeParse({ limit }).success).toBe(false)
  })
})

describe('links', () => {
  const url = new URL('http://internal:3000/v1/orders?status=paid&limit=2&startingAfter=order_x')
  const rows = [{ id: 'order_b' }, { id: 'order_a' }]

  it('the links of a list page contain its limit and filters and use the public base URL', () => {
    const { links, count } = listEnvelope({ rows, next: true, prev: true }, { limit: 2 }, url, (row) => row)
    expect(count).toBe(2)
    expect(links).toEqual({
      self: {
        href: 'https://pay.example/v1/orders?status=paid&limit=2&startingAfter=order_x',
        type: 'application/json',
      },
      next: {
        href: 'https://pay.example/v1/orders?status=paid&limit=2&startingAfter=order_a',
        type: 'application/json',
      },
      prev: {
        href: 'https://pay.example/v1/orders?status=paid&limit=2&endingBefore=order_b',
        type: 'application/json',
      },
    })
  })

  it('page links always contain the limit; next is null on the last page, and prev is null on the first page', () => {
    const plain = new URL('http://internal:3000/v1/orders')
    expect(listEnvelope({ rows, next: true, prev: false }, { limit: 10 }, plain, (row) => row).links).toMatchObject({
      next: { href: 'https://pay.example/v1/orders?limit=10&startingAfter=order_a' },
      prev: null,
    })
    expect(listEnvelope({ rows: [], next: false, prev: false }, { limit: 10 }, plain, (row) => row)).toMatchObject({
      data: [],
      count: 0,
      links: { next: null, prev: null },
    })
  })
})
