import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { copySale } from '../../testing/bulk.ts'
import { subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { invariants } from './queries/index.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns how often the query reads the whole table `mandates`. */
async function fullReads(query: string): Promise<number> {
  const rows = await db().$transaction(async (sql) => {
    await sql.$executeRaw`SET LOCAL max_parallel_workers_per_gather = 0`
    return sql.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`)
  })
  return rows
    .flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)))
    .filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'mandates')
    .reduce((sum, node) => sum + node['Actual Loops'], 0)
}

const [subscriptions, mandates] = [300, 20_000]

it('the checks of missing payment methods read the table of mandates at most twice, not once for each subscription', async () => {
  const scenario = await subscriptionScenario()
  await copySale(scenario, subscriptions)
  await db().$executeRaw`UPDATE subscriptions SET mandate_id = NULL`
  // These disputed mandates belong to the customer of all subscriptions, so the checks also search for a dispute of
  // each subscription's purchase.
  await db().$executeRaw`
    INSERT INTO mandates SELECT copy.* FROM mandates m, generate_series(1, ${mandates}::int) n,
      LATERAL jsonb_populate_record(NULL::mandates, to_jsonb(m) || jsonb_build_object('id', 'mandate_' || n, 'disputed_at', now())) copy`
  await db().$executeRaw`ANALYZE`
  const checks = invariants.filter(({ query }) => query.includes('payment_method_missing'))
  expect(checks.map(({ of }) => of)).toEqual(['I9', 'I11'])
  for (const { name, query } of checks) {
    expect((await db().$queryRawUnsafe<object[]>(query)).length, name).toBe(subscriptions)
    expect(await fullReads(query), name).toBeLessThanOrEqual(2)
  }
})
