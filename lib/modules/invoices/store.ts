import type { Sql } from '../../platform/db/db.ts'
import type { Series } from './rules/number.ts'

/**
 * Takes the next numbers of a series in the caller's transaction: a rollback returns them, so no gap is left. Other
 * transactions that need a number of the series wait for the commit: call it late. Returns the first of `count`.
 */
export async function takeNumbers(sql: Sql, { scope: tenant, name }: Series, count: number): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ last: bigint }[]>`
    INSERT INTO invoice_series (scope, name, last) VALUES (${tenant}, ${name}, ${count}::bigint)
    ON CONFLICT (scope, name) DO UPDATE SET last = invoice_series.last + EXCLUDED.last RETURNING last`
  if (!row) throw new Error('a series did not give a number')
  return row.last - BigInt(count) + 1n
}

/**
 * Continues a series after the higher of its own last number and the last number of the installation that exported
 * `count` documents. The other numbers belong to documents of that installation.
 */
export async function joinSeries(
  sql: Sql,
  { scope, name }: Series,
  { last, count }: { last: bigint; count: bigint },
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO invoice_series (scope, name, last, elsewhere) VALUES (${scope}, ${name}, ${last}::bigint, ${last - count}::bigint)
    ON CONFLICT (scope, name) DO UPDATE SET last = greatest(invoice_series.last, EXCLUDED.last),
      elsewhere = invoice_series.elsewhere + greatest(EXCLUDED.last - invoice_series.last, 0) - ${count}::bigint`
}

export async function causeOfCreditNote(sql: Sql, orderId: string): Promise<'refund' | 'chargeback'> {
  const refunds = await sql.refunds.count({ where: { credit_note_id: orderId } })
  return refunds > 0 ? 'refund' : 'chargeback'
}
