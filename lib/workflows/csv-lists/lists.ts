import { csvLine } from '../../kernel/csv.ts'
import type { Page, PageQuery } from '../../platform/http/paging.ts'
import type { Cells } from './csv-list.ts'
import { sales } from './sales.ts'
import { setUp } from './set-up.ts'

export const exports = { ...sales, ...setUp } as const

const rowsAtOnce = 200

export async function* partsOf<Row extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Row>>,
  cells: (row: Row) => Cells,
): AsyncGenerator<string> {
  let startingAfter: string | undefined
  do {
    const { rows, next } = await read({ limit: rowsAtOnce, startingAfter })
    const lines = rows.map(cells)
    const header = startingAfter === undefined && lines[0] ? csvLine(Object.keys(lines[0])) : ''
    yield header + lines.map((each) => csvLine(Object.values(each))).join('')
    startingAfter = next ? rows.at(-1)?.id : undefined
  } while (startingAfter !== undefined)
}
