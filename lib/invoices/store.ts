import type { Sql } from '../platform/db.ts'
import type { Series } from './rules/number.ts'

/**
 * Takes the next number of a series, from 1, in the caller's transaction: a rollback gives it back, so no gap is left.
 * Whoever takes one from the same series waits for the commit: take it late.
 */
export async function takeNumber(sql: Sql, { scope, name }: Series): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ last: bigint }[]>`
    INSERT INTO invoice_series (scope, name, last) VALUES (${scope}, ${name}, 1)
    ON CONFLICT (scope, name) DO UPDATE SET last = invoice_series.last + 1 RETURNING last`
  if (!row) throw new Error('a series did not give a number')
  return row.last
}
