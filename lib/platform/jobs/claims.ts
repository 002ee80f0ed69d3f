import type { Tenant } from '../clock/clock.ts'
import type { Sql } from '../db/db.ts'
import { aheadOf, type TaskClaim } from './tasks.ts'

const rowsOf = (claims: readonly TaskClaim[]) =>
  JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))

/** Locks the rows of claimed tasks. Returns the ids of tasks whose claim is current. */
export async function lockClaims(sql: Sql, claims: readonly TaskClaim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT tasks.id FROM tasks JOIN jsonb_to_recordset(${rowsOf(claims)}::jsonb) AS row (id text, claim_version int)
      ON tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version
    ORDER BY tasks.id FOR UPDATE OF tasks`
  return new Set(rows.map(({ id }) => id))
}

export async function claimAgain(
  sql: Sql,
  claims: readonly TaskClaim[],
  leaseMs: number,
): Promise<Map<string, TaskClaim>> {
  if (claims.length === 0) return new Map()
  const claimed = await sql.$queryRaw<TaskClaim[]>`
    UPDATE tasks SET claim_version = tasks.claim_version + 1, attempts = attempts + 1,
      run_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond', handed_over_at = NULL
    FROM jsonb_to_recordset(${rowsOf(claims)}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version
    RETURNING tasks.id AS "taskId", tasks.claim_version AS "claimVersion"`
  return new Map(claimed.map((claim) => [claim.taskId, claim]))
}

/** Reschedules tasks and ends their claims, so that a stale run cannot repeat the work. Requires `lockClaims`. */
export async function rescheduleTasks(
  sql: Sql,
  tenant: Tenant,
  tasks: readonly { readonly claim: TaskClaim; readonly dueAt: Date }[],
): Promise<void> {
  if (tasks.length === 0) return
  const rows = JSON.stringify(tasks.map(({ claim, dueAt }) => ({ id: claim.taskId, due_at: dueAt })))
  await sql.$executeRaw`
    UPDATE tasks SET due_at = row.due_at, leased_until = NULL, attempts = 0, last_error = NULL, claim_version = claim_version + 1,
      run_at = row.due_at - CASE clock WHEN 'storefront' THEN ${aheadOf('storefront', tenant)} ELSE interval '0' END
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, due_at timestamptz) WHERE tasks.id = row.id COLLATE "C"`
}
