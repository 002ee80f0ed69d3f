import { db } from '../db/db.ts'
import { leaseMs } from './leases.ts'
import type { TaskClaim } from './tasks.ts'

/** Tasks that were handed to a task server: they wait there until their run begins. */

/** The tasks of one run that have not begun, by another run or here, each with a new claim; former claims are stale. */
export async function beginTasks(taskIds: readonly string[]): Promise<TaskClaim[]> {
  return db().$queryRaw<TaskClaim[]>`
    WITH waiting AS (
      SELECT id FROM tasks WHERE id = ANY(${[...taskIds]}) AND handed_over_at IS NOT NULL ORDER BY id FOR UPDATE)
    UPDATE tasks SET handed_over_at = NULL, claim_version = claim_version + 1,
      run_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    FROM waiting WHERE tasks.id = waiting.id
    RETURNING tasks.id AS "taskId", tasks.claim_version AS "claimVersion"`
}

const againMs = 2_000

/** Gives back tasks that could not be handed over: they are due again in two seconds. */
export async function giveBackTasks(claims: readonly TaskClaim[]): Promise<void> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, attempts = attempts - 1,
      run_at = clock_timestamp() + ${againMs}::int * interval '1 millisecond'
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
}

/** For how many milliseconds the oldest task waits that was handed over and not begun; null without one. */
export async function longestWait(): Promise<number | null> {
  const [row] = await db().$queryRaw<{ ms: number | null }[]>`
    SELECT (extract(epoch FROM clock_timestamp() - min(handed_over_at)) * 1000)::float8 AS ms FROM tasks
    WHERE handed_over_at IS NOT NULL`
  return row?.ms ?? null
}

/** Whether a task has left the claim under which it was handed over: while the lease lasts, only its run can take it. */
export async function hasLeft({ taskId, claimVersion }: TaskClaim): Promise<boolean> {
  return (await db().tasks.count({ where: { id: taskId, claim_version: claimVersion } })) === 0
}
