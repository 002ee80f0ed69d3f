import { db } from '../db/db.ts'
import { every } from '../every.ts'
import { Outage } from '../outage.ts'
import { leaseMs } from './leases.ts'
import type { TaskClaim } from './tasks.ts'

/** Claims the tasks that no other run has started. Earlier claims of these tasks become stale. */
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

const keepEveryMs = 2_000

/** Task runs that wait for a free slot. The hand-over time and the lease of their tasks are renewed, so that the tasks are not handed over again. */
export class WaitingRuns {
  private readonly runs = new Set<readonly string[]>()
  private isKeeping = false

  async until<T>(taskIds: readonly string[], turn: Promise<T>): Promise<T> {
    if (!this.isKeeping) {
      every(keepEveryMs, () => this.keep(), new Outage('the handover of waiting tasks could not be renewed'))
      this.isKeeping = true
    }
    this.runs.add(taskIds)
    return turn.finally(() => this.runs.delete(taskIds))
  }

  private async keep(): Promise<void> {
    if (this.runs.size === 0) return
    await db().$executeRaw`
      UPDATE tasks SET handed_over_at = clock_timestamp(),
        run_at = greatest(run_at, clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'),
        leased_until = greatest(leased_until, clock_timestamp() + ${leaseMs}::int * interval '1 millisecond')
      FROM (SELECT id FROM tasks WHERE id = ANY(${[...this.runs].flat()}) AND handed_over_at IS NOT NULL
        AND leased_until IS NOT NULL ORDER BY id FOR UPDATE SKIP LOCKED) AS waiting
      WHERE tasks.id = waiting.id`
  }
}

const againMs = 2_000

/** Reschedules tasks that could not be handed over. They become due again in two seconds. */
export async function giveBackTasks(claims: readonly TaskClaim[]): Promise<void> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, attempts = attempts - 1,
      run_at = clock_timestamp() + ${againMs}::int * interval '1 millisecond'
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
}

/**
 * Milliseconds after a hand-over before its tasks can count as lost, because the hand-over may not have reached the
 * task run yet.
 */
const onItsWayMs = 4_000

/** Makes lost tasks due again and ends their claims, so that a late run of a lost task has no effect. Returns the number of tasks. */
export async function giveBackWaiting(): Promise<number> {
  return db().$executeRaw`
    UPDATE tasks SET handed_over_at = NULL, leased_until = NULL, run_at = clock_timestamp(), claim_version = claim_version + 1
    FROM (SELECT id FROM tasks WHERE handed_over_at < clock_timestamp() - ${onItsWayMs}::int * interval '1 millisecond'
      ORDER BY id FOR UPDATE SKIP LOCKED) AS waiting
    WHERE tasks.id = waiting.id`
}

/** For the oldest task that has not started: `since` is the hand-over time (Unix time), and `ms` is the time since then, both in milliseconds. */
export async function longestWait(): Promise<{ readonly since: number; readonly ms: number } | null> {
  const [row] = await db().$queryRaw<{ since: number | null; ms: number }[]>`
    SELECT (extract(epoch FROM min(handed_over_at)) * 1000)::float8 AS since,
      (extract(epoch FROM clock_timestamp() - min(handed_over_at)) * 1000)::float8 AS ms
    FROM tasks WHERE handed_over_at IS NOT NULL`
  return row?.since == null ? null : { since: row.since, ms: row.ms }
}
