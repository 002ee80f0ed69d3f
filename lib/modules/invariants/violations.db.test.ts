import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { violationFixtures } from '../../testing/invariant-violations/index.ts'
import { seedEverything } from '../../testing/seed-everything.ts'
import { checkAll } from './operations.ts'
import { invariants } from './queries/index.ts'
import { invariantIds } from './queries/query.ts'
import { findViolations } from './store.ts'

let seeded: Awaited<ReturnType<typeof seedEverything>>
beforeAll(async () => {
  seeded = await seedEverything()
})
afterAll(() => seeded.close())

const byName = new Map(invariants.map((each) => [each.name, each]))

describe('coverage', () => {
  it('each invariant has a check, and each check has a unique name and a violation fixture', () => {
    expect([...new Set(invariants.map(({ of }) => of))]).toEqual(invariantIds)
    expect(byName.size).toBe(invariants.length)
    expect(Object.keys(violationFixtures).sort()).toEqual([...byName.keys()].sort())
  })

  it.each([
    ['orders', ['canceled', 'paid', 'pending']],
    ['checkouts', ['canceled', 'created', 'failed', 'paid']],
    ['payments', ['canceled', 'failed', 'open', 'paid', 'pending']],
    ['subscriptions', ['active', 'canceled', 'created', 'on_grace_period', 'paused', 'trial']],
    ['recoveries', ['ended', 'exhausted', 'open', 'recovered']],
    ['refunds', ['canceled', 'failed', 'pending', 'queued', 'refunded']],
    ['chargebacks', ['accepted', 'evidence_submitted', 'lost', 'pending', 'rejected', 'requires_amount_review', 'won']],
    ['deliveries', ['delivered', 'pending']],
    ['payouts', ['canceled', 'exported', 'paid', 'requested', 'returned']],
  ])('the seeded test data contains %s in the statuses %j', async (table, statuses) => {
    const rows = await db().$queryRawUnsafe<{ status: string }[]>(
      `SELECT status FROM ${table} GROUP BY 1 ORDER BY status COLLATE "C"`,
    )
    expect(rows.map(({ status }) => status)).toEqual(statuses)
  })

  it('the invariants hold on the seeded test data', async () => {
    expect((await checkAll()).filter(({ status }) => status === 'broken')).toEqual([])
  })
})

describe('violation fixtures', () => {
  // The constraints of the test database are dropped, because they would refuse most violations.
  beforeAll(async () => {
    await db().$executeRaw`
      DO $$ DECLARE dropped record; BEGIN
        FOR dropped IN SELECT conrelid::regclass AS of, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
          WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'u', 'x') ORDER BY contype = 'f' DESC LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', dropped.of, dropped.conname);
        END LOOP;
        FOR dropped IN SELECT indexrelid::regclass AS of FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
          WHERE relnamespace = 'public'::regnamespace AND indisunique AND NOT indisprimary LOOP
          EXECUTE format('DROP INDEX %s', dropped.of);
        END LOOP;
        ALTER TABLE ledger_entries DISABLE TRIGGER USER;
      END $$`
  })

  const violations = Object.entries(violationFixtures).flatMap(([name, statements]) =>
    statements.map(
      (statement, number) => [`${name}${number === 0 ? '' : ` (${number + 1})`}`, name, statement] as const,
    ),
  )

  it.each(violations)('an invariant query finds the violation: %s', async (_, name, statement) => {
    const query = byName.get(name)?.query ?? ''
    const found = await rolledBack(async (sql) => {
      const rows = await sql.$queryRawUnsafe<Record<string, string>[]>(statement)
      return {
        expected: [...new Set(rows.map((row) => Object.values(row)[0]))].sort(),
        ...(await findViolations(sql, query)),
      }
    })
    expect(found.expected).not.toEqual([])
    expect(found).toEqual({ expected: found.ids, count: found.ids.length, ids: found.expected })
  })

  it('the test database has no violated invariant after the violation fixtures are rolled back', async () => {
    expect((await checkAll()).filter(({ status }) => status === 'broken')).toEqual([])
  })
})

class RolledBack extends Error {}

type Sql = Parameters<typeof findViolations>[0]

async function rolledBack<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  let result: { of: Result } | undefined
  await db()
    .$transaction(async (sql) => {
      result = { of: await work(sql) }
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  if (!result) throw new Error('the transaction did not run')
  return result.of
}
