import type { Prisma } from '../../../prisma/client/client.ts'
import { quoted, shapeOf } from './condition.ts'
import { type Fragment, rawFragment } from './fragment.ts'

const known = new Map<string, Fragment>()

/**
 * The columns of a table that this version knows, to be named instead of `*`. The next version's migration may add
 * columns: then copied rows would get NULL instead of the default, and prepared queries would fail.
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
