import type { AdminList, ListDates, StatusFilter } from '../kernel/list.ts'
import { Refusal } from '../kernel/refusal.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { reader } from '../platform/db/replica.ts'
import { days } from '../platform/http/days.ts'
import type { Page, PageQuery } from '../platform/http/paging.ts'
import type { Access } from './access.ts'
import type { StorefrontPage } from './permissions.ts'

const rowsOnPage = 50

/** The parameters of a list in a page's URL: a cursor, and the filters of the list. */
export type ListParameters = Readonly<Record<string, string | null>>

/** The result of a form is shown on its target page, not on the next page. */
const ofForms = ['done', 'failed', 'form']

/** The parameters that hide rows. `from` and `to` are days. */
const filterNames = ['status', 'customer', 'email', 'endpoint', 'name', 'from', 'to']

/**
 * One page of a list, read from the replica if there is one. An invalid cursor leads to the first page. The links keep
 * the filters, which are all parameters except cursors and the results of forms.
 */
export async function adminList<Row extends { id: string }, Shown>(
  path: string,
  { startingAfter = null, endingBefore = null, ...parameters }: ListParameters,
  read: (query: PageQuery, sql: Sql) => Promise<Page<Row>>,
  show: (row: Row) => Shown,
): Promise<AdminList<Shown> & { readonly dates: ListDates }> {
  const cursor = startingAfter ? { startingAfter } : endingBefore ? { endingBefore } : {}
  // A person who has just sent a form must see its effect, so the database is read instead of the replica.
  const sql = ofForms.some((name) => parameters[name]) ? db() : reader()
  const { range, from, to } = days(parameters)
  const oldestFirst = parameters.sort === 'oldest'
  const kept = keptOf({ ...parameters, from, to, sort: oldestFirst ? 'oldest' : null })
  const without = (...names: string[]) => kept.filter(([name]) => !names.includes(name))
  const { rows, next, prev } = await readOrRestart((query) => read({ ...range, oldestFirst, ...query }, sql), cursor)
  const url = (name: 'startingAfter' | 'endingBefore', row: Row | undefined) =>
    row ? addressOf(path, [...kept, [name, row.id]]) : null
  const nextUrl = next ? url('startingAfter', rows.at(-1)) : null
  const prevUrl = prev ? url('endingBefore', rows[0]) : null
  const isFiltered = kept.some(([name]) => filterNames.includes(name))
  return {
    rows: rows.map(show),
    newerUrl: oldestFirst ? nextUrl : prevUrl,
    olderUrl: oldestFirst ? prevUrl : nextUrl,
    ...(isFiltered && { clearUrl: addressOf(path, without(...filterNames)) }),
    dates: {
      isOldestFirst: oldestFirst,
      turnedUrl: addressOf(path, oldestFirst ? without('sort') : [...kept, ['sort', 'oldest']]),
      from,
      to,
      allDaysUrl: addressOf(path, without('from', 'to')),
      path,
      kept: without('from', 'to'),
    },
  }
}

type Kept = readonly (readonly [string, string])[]

const keptOf = (parameters: ListParameters): Kept =>
  Object.entries(parameters).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !ofForms.includes(entry[0]),
  )

const addressOf = (path: string, parameters: Kept): string =>
  parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters.map(([name, text]) => [name, text]))}`

/** The URL of the page with the first step toward a row, for readers who can open the page. */
export const actionOf = (access: Access, page: StorefrontPage): { actionUrl?: string } =>
  access.mayOpen(page) ? { actionUrl: `${access.path}/${page}` } : {}

/** The status filter in the address of a list. */
export const chosen = <Status extends string>(
  statuses: readonly Status[],
  asked: string | null | undefined,
): StatusFilter<Status> => ({ status: statuses.find((each) => each === asked) ?? null, statuses })

async function readOrRestart<Row>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  cursor: Omit<PageQuery, 'limit'>,
): Promise<Page<Row>> {
  try {
    return await read({ limit: rowsOnPage, ...cursor })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return read({ limit: rowsOnPage })
  }
}
