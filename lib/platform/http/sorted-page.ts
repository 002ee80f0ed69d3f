import type { Sql } from '../db/db.ts'
import { type Fragment, fragment, rawFragment } from '../db/fragment.ts'
import { ownCursor, type Page, type PageQuery } from './paging.ts'

interface SortKey {
  readonly expression: Fragment
  readonly type: 'bigint' | 'text' | 'timestamptz'
}

interface SortedSource<Row> {
  /** The table of the list. It has the column `id`. */
  readonly table: Fragment
  /** The condition for the rows of one storefront and mode, or `TRUE`. A cursor must be the id of a row that meets this condition. */
  readonly own: Fragment
  /** The condition for the rows of the list: `own`, and a filter if the list has one. The condition's columns must be the first columns of an index. */
  readonly listed: Fragment
  /** The columns by which the list is sorted, in the order of the index. The id is added as the last column. */
  readonly keys: readonly SortKey[]
  readonly find: (ids: readonly string[]) => Promise<readonly Row[]>
}

interface Place {
  readonly id: string
  readonly values: readonly string[]
}

/**
 * Returns a page of a sorted list. Refuses with `validation_failed` if the query has two cursors, or if its cursor is
 * not the id of a row that `own` selects.
 */
export async function sortedPage<Row extends { id: string }>(
  sql: Sql,
  query: Pick<PageQuery, 'limit' | 'startingAfter' | 'endingBefore'>,
  isDescending: boolean,
  source: SortedSource<Row>,
): Promise<Page<Row>> {
  const { table, own, listed, find } = source
  const keys: readonly SortKey[] = [...source.keys, { expression: rawFragment('id'), type: 'text' }]
  const columns = joined(keys.map(({ expression }) => expression))
  const texts = joined(keys.map(({ expression }) => fragment`(${expression})::text`))
  const read = async (where: Fragment, order: Fragment, take: number): Promise<Place[]> => {
    const rows = await sql.$queryRaw<{ id: string; values: string[] }[]>`
      SELECT id, ARRAY[${texts}] AS values FROM ${table} WHERE ${where}${order} LIMIT ${take}::int`
    return rows
  }
  const ordered = (descends: boolean): Fragment => {
    const direction = rawFragment(descends ? ' DESC' : ' ASC')
    return fragment` ORDER BY ${joined(keys.map(({ expression }) => fragment`${expression}${direction}`))}`
  }
  const beyond = ({ values }: Place, descends: boolean): Fragment => {
    const sent = joined(keys.map(({ type }, index) => fragment`${values[index]}::${rawFragment(type)}`))
    return fragment`${listed} AND (${columns}) ${rawFragment(descends ? '<' : '>')} (${sent})`
  }

  const cursor = await ownCursor(query, async (id) => {
    const [place] = await read(fragment`${own} AND id = ${id}`, fragment``, 1)
    return place ?? null
  })
  const { limit } = query
  const isBackwards = query.endingBefore !== undefined
  const descends = isDescending !== isBackwards
  const found = await read(cursor ? beyond(cursor, descends) : listed, ordered(descends), limit + 1)
  const places = found.slice(0, limit)
  if (isBackwards) places.reverse()
  const [first, last] = [places[0], places.at(-1)]
  const exists = async (place: Place | undefined, down: boolean) =>
    place !== undefined && (await read(beyond(place, down), ordered(down), 1)).length > 0
  const isMore = found.length > limit
  const rows = new Map((await find(places.map(({ id }) => id))).map((row) => [row.id, row]))
  return {
    rows: places.flatMap(({ id }) => rows.get(id) ?? []),
    next: isBackwards ? await exists(last, isDescending) : isMore,
    prev: isBackwards ? isMore : cursor !== undefined && (await exists(first, !isDescending)),
  }
}

const joined = (parts: readonly Fragment[]): Fragment => parts.reduce((all, part) => fragment`${all}, ${part}`)
