import { db } from '../db/db.ts'

export interface AdvancingClocks {
  readonly moving: number
  /**
   * `oldestSeconds`: seconds since the start of the oldest advance. `stalledForSeconds`: the longest time in seconds for which an advance has made no progress.
   */
  readonly oldestSeconds: number
  readonly stalledForSeconds: number
  readonly stalled: number
  /** `waiting`: due tasks of all advances. `waitingForStalled`: due tasks of stalled advances. Each count stops at `mostCounted`. */
  readonly waiting: number
  readonly waitingForStalled: number
}

/** An advance normally progresses many times per second and waits at most 15 s for an endpoint to respond. */
const stalledAfterSeconds = 60
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
