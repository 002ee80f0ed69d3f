import { db, type Sql } from '../../platform/db/db.ts'

/** The time limit of a whole check in milliseconds. */
export const longestMs = 60 * 60_000
/** The time limit of one query of a check in milliseconds. */
const longestQueryMs = 10 * 60_000

export function onSnapshot<Result>(read: (sql: Sql) => Promise<Result>): Promise<Result> {
  return db().$transaction(
    async (sql) => {
      await sql.$executeRaw`SET TRANSACTION READ ONLY`
      await sql.$executeRaw`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`
      return read(sql)
    },
    { isolationLevel: 'RepeatableRead', timeout: longestMs, statementMs: longestQueryMs },
  )
}

export interface Broken {
  readonly count: number
  readonly ids: readonly string[]
}

const mostIds = 20

export async function findViolations(sql: Sql, query: string): Promise<Broken> {
  const [row] = await sql.$queryRawUnsafe<{ count: number; ids: string[] | null }[]>(`
    SELECT count(*)::int AS count, (array_agg(id ORDER BY id))[1:${mostIds}] AS ids FROM (SELECT DISTINCT id::text FROM (${query}) found) broken`)
  return { count: row?.count ?? 0, ids: row?.ids ?? [] }
}

/** Replaces an earlier result of the same UTC day. `broken` has the ids of the violating rows by invariant name. */
export async function saveCheck(
  sql: Sql,
  { day, finishedAt, broken }: { day: string; finishedAt: Date; broken: Readonly<Record<string, readonly string[]>> },
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO invariant_checks (day, finished_at, broken) VALUES (${day}, ${finishedAt}, ${JSON.stringify(broken)}::jsonb)
    ON CONFLICT (day) DO UPDATE SET finished_at = EXCLUDED.finished_at, broken = EXCLUDED.broken
    WHERE invariant_checks.finished_at < EXCLUDED.finished_at`
}

export async function newestCheck(
  sql: Sql,
): Promise<{ finishedAt: Date; broken: Readonly<Record<string, readonly string[]>> } | null> {
  const row = await sql.invariant_checks.findFirst({ orderBy: { finished_at: 'desc' } })
  return row && { finishedAt: row.finished_at, broken: row.broken as Record<string, string[]> }
}

export async function newestChecks(sql: Sql, take: number) {
  const rows = await sql.invariant_checks.findMany({ orderBy: { day: 'desc' }, take })
  return rows.map(({ day, finished_at, broken }) => ({
    day,
    finishedAt: finished_at,
    broken: broken as Record<string, string[]>,
  }))
}
