import type { Sql } from '../../platform/db/db.ts'
import type { Series } from './rules/number.ts'

/**
 * Returns the first of `count` numbers. If the caller's transaction rolls back, the numbers are free again and leave no gap. Call this function late in the
 * transaction, because other transactions that need a number of the series wait for the commit.
 */
export async function takeNumbers(sql: Sql, { scope: tenant, name }: Series, count: number): Promise<bigint> {
  const [row] = await sql.$queryRaw<{ last: bigint }[]>`
    INSERT INTO invoice_series (scope, name, last) VALUES (${tenant}, ${name}, ${count}::bigint)
    ON CONFLICT (scope, name) DO UPDATE SET last = invoice_series.last + EXCLUDED.last RETURNING last`
  if (!row) throw new Error('the query for a document number returned no row')
  return row.last - BigInt(count) + 1n
}

/**
 * Merges an invoice series of another installation. `last` is the last number of that series, and `count` is the number of its exported documents. The merged
 * series continues after the higher last number. `elsewhere` counts the numbers whose documents are not in this installation.
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

/**
 * Returns the cause of a credit note that belongs to no tax correction. `writtenOff` means that the bank returned the
 * direct debit of the order and `writeOffInvoice` wrote the order off.
 */
export async function causeOfCreditNote(sql: Sql, orderId: string): Promise<'refund' | 'chargeback' | 'writtenOff'> {
  const where = { credit_note_id: orderId }
  if ((await sql.refunds.count({ where })) > 0) return 'refund'
  return (await sql.chargebacks.count({ where })) > 0 ? 'chargeback' : 'writtenOff'
}
