import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { type RecordedQuery, recordedQueries } from '../../testing/recorded-queries.ts'
import { formsOf } from './store.ts'

async function planOf({ text, values }: RecordedQuery): Promise<string> {
  let plan = ''
  const undo = new Error('undone')
  const explain = db().$transaction(async (sql) => {
    await sql.$executeRaw`
      INSERT INTO checkouts (id, storefront_id, testmode, status, tax_behavior, redirect_url_success, redirect_url_canceled,
        billing_address, expires_at, created_at)
      SELECT 'checkout_' || n, 'storefront_other', true, 'expired', 'exclusive', '', '', '{}', now(), now()
      FROM generate_series(1, 5000) n`
    await sql.$executeRaw`ANALYZE checkouts`
    const rows = await sql.$queryRawUnsafe<object[]>(`EXPLAIN ${text}`, ...values)
    plan = rows.flatMap((row) => Object.values(row)).join('\n')
    throw undo
  })
  await expect(explain).rejects.toBe(undo)
  return plan
}

it('the query for the stored forms of a customer uses an index and does not read every checkout', async () => {
  const [query] = await recordedQueries(async () => expect(await formsOf(db(), 'customer_none')).toEqual([]))
  const plan = query && (await planOf(query))
  expect(plan).toContain('checkouts_of_customer')
  expect(plan).not.toContain('Seq Scan on checkouts')
})
