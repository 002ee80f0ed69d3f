import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { aSale } from '../../testing/money-back.ts'
import { type RecordedQuery, recordedQueries } from '../../testing/recorded-queries.ts'
import { aShop } from '../../testing/shop.ts'
import { newestPaymentAt } from './store.ts'

/** Returns the query plan that a large table would have. Without an index by provider, the query would read every payment. */
async function planOf({ text, values }: RecordedQuery): Promise<string> {
  return db().$transaction(async (sql) => {
    await sql.$executeRaw`SET LOCAL enable_seqscan = off`
    await sql.$executeRaw`SET LOCAL enable_bitmapscan = off`
    const rows = await sql.$queryRawUnsafe<object[]>(`EXPLAIN ${text}`, ...values)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  })
}

it('newestPaymentAt() returns the newest payment that a provider knows, and its mode and storefront', async () => {
  const first = await aSale({ price: '1.00' })
  const newest = async () => newestPaymentAt(db(), 'sandbox')
  const refOf = async ({ orderId }: { orderId: string }) =>
    (await db().payments.findFirstOrThrow({ where: { order_id: orderId } })).provider_ref
  expect(await newest()).toEqual({ ref: await refOf(first), tenant: first.tenant })
  // This clock is a day ahead, and ids contain the time of the storefront's clock, so the second payment has the newest
  // id.
  const second = await aSale({ price: '2.00', shop: await aShop({ at: '2026-12-02T00:00:00Z' }) })
  expect(await newest()).toEqual({ ref: await refOf(second), tenant: second.tenant })
  // A payment without a reference has not reached the provider.
  await db().payments.updateMany({ where: { order_id: second.orderId }, data: { provider_ref: null } })
  expect(await newest()).toEqual({ ref: await refOf(first), tenant: first.tenant })
  expect(await newestPaymentAt(db(), 'mollie')).toBeNull()
})

it('newestPaymentAt() returns null without payments, and its query uses the index by provider', async () => {
  const [query] = await recordedQueries(async () => expect(await newestPaymentAt(db(), 'mollie')).toBeNull())
  expect(query && (await planOf(query))).toContain('payments_newest_of_provider')
})
