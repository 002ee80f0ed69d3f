import type { Sql } from '../db/db.ts'

/** This time is later than any clock, so a task with this time never runs. */
export const never = '9999-12-31T00:00:00Z'

/** Stops all waiting tasks of a storefront in both modes. A running task fails at its commit. */
export async function parkTasks(sql: Sql, storefrontId: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET run_at = ${never}::timestamptz, leased_until = NULL, handed_over_at = NULL,
      claim_version = claim_version + 1
    WHERE storefront_id = ${storefrontId}`
}

export async function unparkTasks(sql: Sql, storefrontId: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET run_at = due_at - CASE clock WHEN 'storefront' THEN clocks.ahead_seconds ELSE 0 END * interval '1 second'
    FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND tasks.storefront_id = ${storefrontId}`
}
