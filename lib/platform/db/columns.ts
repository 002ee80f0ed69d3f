import type { Prisma } from '../../../prisma/client/client.ts'
import { quoted, shapeOf } from './condition.ts'
import { type Fragment, rawFragment } from './fragment.ts'

const known = new Map<string, Fragment>()

/**
 * The columns of a table that this program knows, to be named in place of `*`. While a new version is started beside this one, its
 * migration may add others: with `*` a row without them would get NULL and not their default, and a prepared query would fail
 * because its result has another type.
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
