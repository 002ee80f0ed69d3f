import type { Prisma } from '../../../prisma/client/client.ts'
import { tables } from '../../../prisma/client/tables.ts'
import { type Fragment, rawFragment } from './fragment.ts'

const known = new Map<string, Fragment>()

/**
 * The columns of a table that this program knows, to be named in place of `*`. While a new version is started beside this one, its
 * migration may add others: with `*` a row without them would get NULL and not their default, and a prepared query would fail
 * because its result has another type.
 */
export function columnsOf(table: Prisma.ModelName, alias?: string): Fragment {
  const key = alias === undefined ? table : `${table} ${alias}`
  const named = known.get(key) ?? rawFragment(namesOf(table, alias))
  known.set(key, named)
  return named
}

const namesOf = (table: Prisma.ModelName, alias?: string): string =>
  Object.keys(tables[table]?.columns ?? {})
    .map((column) => (alias === undefined ? `"${column}"` : `${alias}."${column}"`))
    .join(', ')
