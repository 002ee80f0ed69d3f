import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { type RecordedQuery, recordedQueries } from '../../testing/recorded-queries.ts'
import { newestPaymentAt } from './store.ts'

/** Returns the query plan as for a large table. Without an index by provider, the query would read every payment. */
async function planOf({ text, values }: RecordedQuery): Promise<string> {
  return db().$transaction(async (sql) => {
    await sql.$executeRaw`SET LOCAL enable_seqscan = off`
    await sql.$executeRaw`SET LOCAL enable_bitmapscan = off`
    const rows = await sql.$queryRawUnsafe<object[]>(`EXPLAIN ${text}`, ...values)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  })
}

it('newestPaymentAt() returns null without payments, and its query uses the index by provider', async () => {
  const [query] = await recordedQueries(async () => expect(await newestPaymentAt(db(), 'mollie')).toBeNull())
  expect(query && (await planOf(query))).toContain('payments_newest_of_provider')
})
