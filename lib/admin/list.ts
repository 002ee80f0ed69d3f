import type { AdminList, StatusFilter } from '../kernel/list.ts'
import { Refusal } from '../kernel/refusal.ts'
import { db, type Sql } from '../platform/db/db.ts'
import { reader } from '../platform/db/replica.ts'
import type { Page, PageQuery } from '../platform/http/paging.ts'

const rowsOnPage = 50

/** The parameters of a list in a page's URL: a cursor, and the filters of the list. */
export type ListParameters = Readonly<Record<string, string | null>>

/** The result of a form is shown on its target page, not on the next page. */
const ofForms = ['done', 'failed', 'form']

/**
 * One page of a list, read from the replica if there is one. An invalid cursor leads to the first page. The links keep
 * the filters, which are all parameters except cursors and the results of forms.
 */
export async function adminList<Row extends { id: string }, Shown>(
  path: string,
  { startingAfter = null, endingBefore = null, ...filters }: ListParameters,
  read: (query: PageQuery, sql: Sql) => Promise<Page<Row>>,
  show: (row: Row) => Shown,
): Promise<AdminList<Shown>> {
  const cursor = startingAfter ? { startingAfter } : endingBefore ? { endingBefore } : {}
  // A person who has just sent a form must see its effect, so the database is read instead of the replica.
  const sql = ofForms.some((name) => filters[name]) ? db() : reader()
  const { rows, next, prev } = await readOrRestart((query) => read(query, sql), cursor)
  const url = (name: 'startingAfter' | 'endingBefore', row: Row | undefined) => {
    const kept = Object.entries(filters).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && !ofForms.includes(entry[0]),
    )
    return row ? `${path}?${new URLSearchParams([...kept, [name, row.id]])}` : null
  }
  return {
    rows: rows.map(show),
    newerUrl: prev ? url('endingBefore', rows[0]) : null,
    olderUrl: next ? url('startingAfter', rows.at(-1)) : null,
  }
}

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
