import { afterEach, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import { deleteOldLimits } from '../platform/http/shared-limits.ts'
import { ask, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { housekeeping } from './housekeeping.ts'

const aRow = (key: string) =>
  db().$executeRaw`INSERT INTO rate_limits (key, arrival) VALUES (${key}, clock_timestamp() - interval '1 hour')`
const keys = async () => (await db().rate_limits.findMany({ orderBy: { key: 'asc' } })).map(({ key }) => key)

afterEach(() => db().$executeRaw`DELETE FROM rate_limits`)

it('if one step of housekeeping fails, the other steps run', async () => {
  await db().$executeRaw`ALTER TABLE idempotency_keys RENAME TO idempotency_keys_away`
  await aRow('old')
  await housekeeping()
  await db().$executeRaw`ALTER TABLE idempotency_keys_away RENAME TO idempotency_keys`
  expect(await keys()).toEqual([])
})

it('housekeeping deletes expired rate limits, except a rate limit that another transaction has locked', async () => {
  for (const key of ['a', 'b', 'c']) await aRow(key)
  await db().$transaction(async (sql) => {
    await sql.$executeRaw`SELECT 1 FROM rate_limits WHERE key = 'b' FOR UPDATE`
    expect(await deleteOldLimits()).toBe(2)
  })
  expect(await keys()).toEqual(['b'])
})

it('housekeeping deletes previews of changes after two hours', async () => {
  const scenario = await subscriptionScenario()
  const preview = (quantity: number) => ask(scenario, 'POST /v1/subscriptions/{id}/preview', { quantity })
  await preview(2)
  await db().change_previews.updateMany({ data: { created_at: new Date(Date.now() - 2 * 3_600_000 - 1000) } })
  await preview(3)
  await db().change_previews.updateMany({
    where: { created_at: { gt: new Date(Date.now() - 3_600_000) } },
    data: { created_at: new Date(Date.now() - 2 * 3_600_000 + 60_000) },
  })
  await housekeeping()
  expect(await db().change_previews.count()).toBe(1)
})
