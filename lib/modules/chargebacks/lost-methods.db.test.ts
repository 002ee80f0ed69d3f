import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { recordedQueries } from '../../testing/recorded-queries.ts'
import { subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { hasLostMethodToDispute } from './lost-methods.ts'

it('the query whether a dispute ended the payment method of a subscription uses an index, and does not read every mandate', async () => {
  const { id } = await subscriptionScenario()
  await db().$executeRaw`
    INSERT INTO mandates SELECT copy.* FROM mandates m, generate_series(1, 20000) n,
      LATERAL jsonb_populate_record(m, jsonb_build_object('id', 'mandate_' || n)) copy`
  await db().$executeRaw`ANALYZE mandates`
  const [query] = await recordedQueries(async () => expect(await hasLostMethodToDispute(db(), id)).toBe(false))
  const rows = await db().$queryRawUnsafe<object[]>(`EXPLAIN ${query?.text}`, ...(query?.values ?? []))
  const plan = rows.flatMap((row) => Object.values(row)).join('\n')
  expect(plan).toContain('mandates_disputed')
  expect(plan).not.toContain('Seq Scan on mandates')
})
