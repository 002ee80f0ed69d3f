import type { Sql } from '../../platform/db/db.ts'
import type { Series } from './rules/number.ts'

/**
 * Takes the next numbers of a series, from 1, in the caller's transaction: a rollback gives them back, so no gap is left.
 * Whoever takes one from the same series waits for the commit: take them late. Answers the first of `count`.
 */
export async function takeNumbers(sql: Sql, { scope: tenant, name }: Series, count: number): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ last: bigint }[]>`
    INSERT INTO invoice_series (scope, name, last) VALUES (${tenant}, ${name}, ${count}::bigint)
    ON CONFLICT (scope, name) DO UPDATE SET last = invoice_series.last + EXCLUDED.last RETURNING last`
  if (!row) throw new Error('a series did not give a number')
  return row.last - BigInt(count) + 1n
}

/** What made a credit note: the refund or the chargeback that it belongs to. */
export async function causeOfCreditNote(sql: Sql, orderId: string): Promise<'refund' | 'chargeback'> {
  const refunds = await sql.refunds.count({ where: { credit_note_id: orderId } })
  return refunds > 0 ? 'refund' : 'chargeback'
}
