import { beat } from '../db/db.ts'
import { every } from '../every.ts'
import { Outage } from '../outage.ts'
import type { TaskClaim } from './tasks.ts'

/** Milliseconds after which another process may claim the tasks of a dead process. */
export const leaseMs = 8_000
const signOfLifeEveryMs = 2_000

/** Extends the leases of all tasks that this process runs, in one periodic query. */
export class Leases {
  private readonly held = new Map<string, TaskClaim>()
  private end: (() => Promise<void>) | undefined

  constructor(private readonly alsoSay: () => Promise<void> = async () => undefined) {}

  start(): void {
    this.end ??= every(signOfLifeEveryMs, () => this.say(), new Outage('leases could not be extended'))
  }

  async stop(): Promise<void> {
    const { end } = this
    this.end = undefined
    await end?.()
  }

  hold(claim: TaskClaim): void {
    this.held.set(`${claim.taskId} ${claim.claimVersion}`, claim)
  }

  drop(claim: TaskClaim): void {
    this.held.delete(`${claim.taskId} ${claim.claimVersion}`)
  }

  private async say(): Promise<void> {
    const also = this.alsoSay()
    // The two queries run concurrently, so that a failure of one query does not prevent the other query.
    await Promise.all([also, this.held.size > 0 && extendLeases([...this.held.values()])])
  }
}

/** Extends the leases of current claims. Skips a locked row, because its task is about to commit. */
export async function extendLeases(claims: readonly TaskClaim[]): Promise<void> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  await beat(
    `WITH held AS (
      SELECT tasks.id FROM tasks JOIN jsonb_to_recordset($1::jsonb) AS row (id text, claim_version int)
        ON tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version
      WHERE leased_until IS NOT NULL FOR UPDATE OF tasks SKIP LOCKED)
    UPDATE tasks SET leased_until = clock_timestamp() + $2::int * interval '1 millisecond',
      run_at = clock_timestamp() + $2::int * interval '1 millisecond'
    FROM held WHERE tasks.id = held.id`,
    [rows, leaseMs],
  )
}
