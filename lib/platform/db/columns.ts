import type { Prisma } from '../../../prisma/client/client.ts'
import { quoted, shapeOf } from './condition.ts'
import { type Fragment, rawFragment } from './fragment.ts'

const known = new Map<string, Fragment>()

/**
 * The columns that this version knows, for use instead of `*`. If a newer migration adds a column, an INSERT with `*`
 * would write NULL instead of the column's default, and prepared queries would fail.
 */
export function allColumns(table: Prisma.ModelName, alias?: string): Fragment {
  const before = alias === undefined ? '' : `${alias}.`
  const key = before + table
  const named =
    known.get(key) ??
    rawFragment(
      Object.keys(shapeOf(table).columns)
        .map((column) => before + quoted(column))
        .join(', '),
    )
  known.set(key, named)
  return named
}
