import { db } from '../platform/db/db.ts'

export interface WatchedCheck {
  readonly day: string | null
  /** Seconds since the check ended. Before the first check, seconds since the newest migration was applied. */
  readonly ageSeconds: number
  readonly broken: readonly string[]
}

export async function watchedCheck(): Promise<WatchedCheck> {
  const [row] = await db().$queryRaw<WatchedCheck[]>`
    SELECT day, coalesce(broken, '{}') AS broken, coalesce(round(extract(epoch FROM clock_timestamp() -
      coalesce(finished_at, (SELECT max(finished_at) FROM _prisma_migrations)))), 0)::float8 AS "ageSeconds"
    FROM (SELECT) AS always LEFT JOIN LATERAL (
      SELECT day, finished_at, ARRAY(SELECT jsonb_object_keys(invariant_checks.broken)) AS broken
      FROM invariant_checks ORDER BY finished_at DESC LIMIT 1) AS newest ON true`
  if (!row) throw new Error('the database returned no row')
  return row
}
