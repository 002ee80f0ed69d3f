import { db } from '../db/db.ts'

export interface AdvancingClocks {
  readonly moving: number
  /** Seconds since the oldest of these advances began, and the longest time without progress of one of them. */
  readonly oldestSeconds: number
  readonly stalledForSeconds: number
  /** How many advances have made no progress for a minute. */
  readonly stalled: number
  /** Tasks that are due in these advances, up to `mostCounted`, and tasks in stalled advances. */
  readonly waiting: number
  readonly waitingForStalled: number
}

/** An advance progresses many times a second. Its longest wait is for an endpoint without a response for 15 s. */
const stalledAfterSeconds = 60
/** Counting stops here, so that a look costs little however many tasks wait. */
export const mostCounted = 10_000

export async function advancingClocks(): Promise<AdvancingClocks> {
  const [row] = await db().$queryRaw<AdvancingClocks[]>`
    WITH advances AS MATERIALIZED (
      SELECT storefront_id, advancing_to, extract(epoch FROM clock_timestamp() - moving_since)::float8 AS age,
        extract(epoch FROM clock_timestamp() - progressed_at)::float8 AS idle
      FROM clocks WHERE advancing_to IS NOT NULL),
    due AS MATERIALIZED (
      SELECT idle FROM advances JOIN tasks USING (storefront_id)
      WHERE tasks.clock = 'storefront' AND due_at <= advancing_to LIMIT ${mostCounted}::int)
    SELECT (SELECT count(*)::int FROM advances) AS moving,
      (SELECT coalesce(round(max(age)), 0)::int FROM advances) AS "oldestSeconds",
      (SELECT coalesce(round(max(idle)), 0)::int FROM advances) AS "stalledForSeconds",
      (SELECT count(*)::int FROM advances WHERE idle > ${stalledAfterSeconds}::int) AS stalled,
      (SELECT count(*)::int FROM due) AS waiting,
      (SELECT count(*)::int FROM due WHERE idle > ${stalledAfterSeconds}::int) AS "waitingForStalled"`
  if (!row) throw new Error('the clocks could not be counted')
  return row
}
