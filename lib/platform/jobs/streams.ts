import { newId } from '../crypto/identity.ts'
import { db } from '../db/db.ts'
import { type Fragment, fragment, literal } from '../db/fragment.ts'
import type { ClaimedTask } from './task-runner.ts'
import { dispatchQueue, dispatchTasks } from './tasks.ts'

/**
 * A stream is a series of tasks that run in order, such as the deliveries to an endpoint. One dispatch task runs the
 * tasks of a stream. The row of the dispatch task has the stream as its key, and is the lease of the process that runs
 * the dispatch task. The worker that finds the due stream inserts this row. Writers of a stream do not touch the row,
 * so they do not wait for each other.
 */

export interface DueStream {
  readonly stream: string
  readonly storefrontId: string
  readonly testmode: boolean
  /** Whether the dispatch task of the stream is running or postponed. */
  readonly isTaken: boolean
}

/**
 * The due streams, longest overdue first. Costs one index look-up per stream. Includes streams whose dispatch task is
 * due, because its process died or because the time to which it was postponed has come.
 */
export async function dueStreams(): Promise<DueStream[]> {
  const [dispatch] = dispatchTasks
  if (dispatch === undefined) return []
  return db().$queryRaw<DueStream[]>`
    WITH RECURSIVE first AS (
      (SELECT stream, run_at, clock, storefront_id, testmode FROM tasks WHERE stream IS NOT NULL ORDER BY stream, run_at LIMIT 1)
      UNION ALL
      SELECT next.* FROM first CROSS JOIN LATERAL (
        SELECT stream, run_at, clock, storefront_id, testmode FROM tasks WHERE stream > first.stream
        ORDER BY stream, run_at LIMIT 1) AS next),
    due AS (
      SELECT stream, run_at, storefront_id, testmode FROM first
      WHERE run_at <= (SELECT clock_timestamp()) AND NOT (clock = 'storefront' AND EXISTS (
        SELECT 1 FROM clocks WHERE clocks.storefront_id = first.storefront_id AND advancing_to IS NOT NULL))
      UNION ALL
      SELECT key, run_at, storefront_id, testmode FROM tasks
      WHERE stream IS NULL AND queue = ${literal(dispatchQueue)} AND run_at <= (SELECT clock_timestamp()))
    SELECT due.stream, due.storefront_id AS "storefrontId", due.testmode,
      coalesce(bool_or(own.run_at > clock_timestamp()), false) AS "isTaken"
    FROM due LEFT JOIN tasks own ON own.name = ${literal(dispatch)} AND own.key = due.stream
    GROUP BY due.stream, due.storefront_id, due.testmode ORDER BY min(due.run_at)`
}

/** The condition of tasks that are due on a stopped clock, not running, and not waiting for a retry. */
export const isDueOnStoppedClock = (storefrontId: string): Fragment => fragment`(
  due_at < (SELECT frozen_at + interval '1 second' FROM clocks WHERE storefront_id = ${storefrontId})
  AND coalesce(leased_until <= clock_timestamp(), true) AND (attempts = 0 OR run_at <= clock_timestamp()))`

export async function claimStreams(
  streams: readonly DueStream[],
  leaseMs: number,
  isHandedOver = false,
): Promise<ClaimedTask[]> {
  const [dispatch] = dispatchTasks
  if (dispatch === undefined || streams.length === 0) return []
  const now = new Date()
  // The fixed order prevents a deadlock between two workers.
  const sorted = streams.toSorted((one, other) => (one.stream < other.stream ? -1 : 1))
  const rows = JSON.stringify(
    sorted.map(({ stream, storefrontId, testmode }) => ({ id: newId('task_', now), stream, storefrontId, testmode })),
  )
  return db().$queryRaw<ClaimedTask[]>`
    INSERT INTO tasks (id, name, key, queue, storefront_id, testmode, clock, data, due_at, run_at, leased_until, claim_version,
      attempts, created_at, beside, handed_over_at)
    SELECT id, ${dispatch}, stream, ${dispatchQueue}, "storefrontId", testmode, 'real', jsonb_build_object('stream', stream), clock_timestamp(),
      clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      clock_timestamp() + ${leaseMs}::int * interval '1 millisecond', 1, 1, clock_timestamp(), false,
      CASE WHEN ${isHandedOver}::boolean THEN clock_timestamp() END
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, stream text, "storefrontId" text, testmode boolean)
    ON CONFLICT (name, key) DO UPDATE SET claim_version = tasks.claim_version + 1, attempts = tasks.attempts + 1,
      run_at = EXCLUDED.run_at, leased_until = EXCLUDED.leased_until,
      handed_over_at = CASE WHEN ${isHandedOver}::boolean THEN coalesce(tasks.handed_over_at, EXCLUDED.handed_over_at) END
      WHERE tasks.run_at <= clock_timestamp()
    RETURNING id AS "taskId", claim_version AS "claimVersion", name`
}
