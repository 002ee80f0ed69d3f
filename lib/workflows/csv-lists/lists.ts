import { type Columns, csvHeader, csvRows } from '../../kernel/csv.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import { sales } from './sales.ts'
import { setUp } from './set-up.ts'

export const exports = { ...sales, ...setUp } as const

const rowsAtOnce = 200

/** Yields a page at a time. The header line is in the first part, also if the list is empty. */
export async function* partsOf<Row extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  columns: Columns<Row>,
): AsyncGenerator<string> {
  let startingAfter: string | undefined
  do {
    const { rows, next } = await read({ limit: rowsAtOnce, startingAfter })
    yield (startingAfter === undefined ? csvHeader(columns) : '') + csvRows(rows, columns)
    startingAfter = next ? rows.at(-1)?.id : undefined
  } while (startingAfter !== undefined)
}
