import { z } from 'zod'
import { firstIdAt, type IdPrefix } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { config } from '../config.ts'
import { LinkShape, MomentOrDay } from './shapes.ts'

export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.object({
    limit: z
      .string()
      .regex(/^\d{1,4}$/, { error: limitRule, abort: true })
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= maxLimit, { error: limitRule })
      .default(defaultLimit)
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: maxLimit,
        default: defaultLimit,
        description: 'The maximum number of results on a page.',
      }),
    startingAfter: z
      .string()
      .optional()
      .describe('The id of a resource in this list. The page begins after this resource.'),
    endingBefore: z
      .string()
      .optional()
      .describe(
        'The id of a resource in this list. The page contains the results directly before this ' +
          'resource, newest first.',
      ),
    ...filters,
  })
}

/** Use these filters only for resources whose ids contain their creation time. */
export const createdFilters = {
  createdAfter: MomentOrDay.optional().describe('Only resources that were created at or after this time.'),
  createdBefore: MomentOrDay.optional().describe('Only resources that were created before this time.'),
}

const defaultLimit = 10
const maxLimit = 100
const limitRule = `Must be an integer from 1 to ${maxLimit}.`

export const listShape = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('The resources of this page, newest first.'),
    count: z.int().describe('The number of resources in this page.'),
    links: z
      .object({
        self: LinkShape.describe('The URL of this request.'),
        next: LinkShape.nullable().describe('The next page, with the same limit and filters; null at the end.'),
        prev: LinkShape.nullable().describe(
          'The previous page, with the same limit and filters; null at the beginning.',
        ),
      })
      .describe('Links to this page, the next page, and the previous page.'),
  })

export interface PageQuery {
  readonly limit: number
  readonly startingAfter?: string | undefined
  readonly endingBefore?: string | undefined
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly oldestFirst?: boolean | undefined
}

/** A list of rows whose ids sort by creation. A cursor can be the id of a row that the filter hides. */
export interface Source<Row, Own extends object, Filter extends object> {
  readonly own: Own
  readonly filter: Filter
  /** The prefix of the ids. Required for filters by creation time. */
  readonly prefix?: IdPrefix
  /** Returns the first matching row. For the look-up of a cursor, the caller omits the filter. */
  one(asked: Omit<Asked<Own & Partial<Filter>>, 'take'>): Promise<{ id: string } | null>
  find(asked: Asked<Own & Filter>): Promise<Row[]>
}

interface Asked<Where extends object> {
  readonly where: Where & { readonly id?: string | IdRange }
  readonly orderBy: { readonly id: 'asc' | 'desc' }
  readonly take: number
}

/** A bound is the id of a resource, or the first possible id at a creation time (`createdAfter` or `createdBefore`). */
interface IdRange {
  readonly gt?: string
  readonly gte?: string
  readonly lt?: string
}

export interface Page<Row> {
  readonly rows: Row[]
  readonly next: boolean
  readonly prev: boolean
}

/**
 * Returns a page of a list. Its cost does not depend on the number of rows before it. Refuses two cursors, and a cursor
 * that is not in the list, with `validation_failed`.
 */
export async function page<Row extends { id: string }, Own extends object, Filter extends object>(
  query: PageQuery,
  source: Source<Row, Own, Filter>,
): Promise<Page<Row>> {
  const { own, filter, one, find } = source
  const { limit, startingAfter, endingBefore, oldestFirst: isRising = false } = query
  const created = createdRange(query, source.prefix)
  const backwards = endingBefore !== undefined
  const readsUpwards = isRising !== backwards
  const cursor = endingBefore ?? startingAfter
  const beyond = (id: string, upwards: boolean): IdRange => (upwards ? { gt: id } : { lt: id })
  const [found] = await Promise.all([
    isSearchable(query)
      ? find({
          where: { ...own, ...filter, ...idWithin(created, cursor === undefined ? {} : beyond(cursor, readsUpwards)) },
          orderBy: { id: readsUpwards ? 'asc' : 'desc' },
          take: limit + 1,
        })
      : [],
    ownCursor(query, (id) => one({ where: { ...own, id }, orderBy: oldestFirst })),
  ])
  const more = found.length > limit
  const rows = found.slice(0, limit)
  if (backwards) rows.reverse()
  const first = rows[0]
  const last = rows.at(-1)
  // The row of the cursor is just outside the page, so the list has another page on that side unless a filter hides the row.
  const isHiding = Object.keys(filter).length + Object.keys(created).length > 0
  const exists = async (id: IdRange) =>
    !isHiding || (await one({ where: { ...own, ...filter, ...idWithin(created, id) }, orderBy: oldestFirst })) !== null
  return {
    rows,
    next: backwards ? last !== undefined && (await exists(beyond(last.id, isRising))) : more,
    prev: backwards
      ? more
      : startingAfter !== undefined && first !== undefined && (await exists(beyond(first.id, !isRising))),
  }
}

/** An id begins with its creation time in seconds. */
function createdRange({ createdAfter, createdBefore }: PageQuery, prefix: IdPrefix | undefined): IdRange {
  if (!prefix) return {}
  return {
    ...(createdAfter && { gte: firstIdAt(prefix, createdAfter) }),
    ...(createdBefore && { lt: firstIdAt(prefix, createdBefore) }),
  }
}

function idWithin(created: IdRange, page: IdRange): { id?: IdRange } {
  const upper = [created.lt, page.lt].filter((bound) => bound !== undefined).sort()[0]
  const id = { ...created, ...page, ...(upper !== undefined && { lt: upper }) }
  return Object.keys(id).length === 0 ? {} : { id }
}

const oldestFirst = { id: 'asc' } as const

const looksLikeId = (cursor: string) => /^[a-z_]+[0-9A-Za-z]{22}$/.test(cursor)

const isSearchable = ({ startingAfter, endingBefore }: PageQuery): boolean =>
  [startingAfter, endingBefore].every((cursor) => cursor === undefined || looksLikeId(cursor))

/** Returns the row of the cursor, or null for a query without a cursor. Refuses two cursors, and a cursor that `find` does not find. */
export async function ownCursor<Row>(
  { startingAfter, endingBefore }: Pick<PageQuery, 'startingAfter' | 'endingBefore'>,
  find: (id: string) => Promise<Row | null>,
): Promise<Row | null> {
  const isBoth = startingAfter !== undefined && endingBefore !== undefined
  const problems: Record<string, string[]> = {}
  let row: Row | null = null
  for (const [field, cursor] of Object.entries({ startingAfter, endingBefore })) {
    if (cursor === undefined) continue
    row = looksLikeId(cursor) ? await find(cursor) : null
    const wrong = [
      ...(isBoth ? ['Send startingAfter or endingBefore, not both.'] : []),
      ...(row === null ? ['Must be the id of a resource of this list.'] : []),
    ]
    if (wrong.length > 0) problems[field] = wrong
  }
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  return row
}

const cursorNames = ['startingAfter', 'endingBefore', 'starting_after', 'ending_before']

/** `url` is the URL of the request. The links keep the limit and the filters of this URL. */
export function listEnvelope<Row extends { id: string }, Item>(
  { rows, next, prev }: Page<Row>,
  query: PageQuery,
  url: URL,
  item: (row: Row) => Item,
) {
  const self = `${config().publicBaseUrl}${url.pathname}${url.search}`
  const to = (cursor: 'startingAfter' | 'endingBefore', id: string) => {
    const target = new URL(self)
    for (const name of cursorNames) target.searchParams.delete(name)
    target.searchParams.set('limit', String(query.limit))
    target.searchParams.set(cursor, id)
    return { href: target.href, type: 'application/json' }
  }
  const first = rows[0]
  const last = rows.at(-1)
  return {
    data: rows.map(item),
    count: rows.length,
    links: {
      self: { href: self, type: 'application/json' },
      next: next && last ? to('startingAfter', last.id) : null,
      prev: prev && first ? to('endingBefore', first.id) : null,
    },
  }
}
