import { beat } from '../db/db.ts'
import { log } from '../log.ts'
import type { TaskClaim } from './tasks.ts'

/** A claim holds for so long without a sign of life from whoever claimed: what a dead process left is taken up after that. */
export const leaseMs = 8_000
const signOfLifeEveryMs = 2_000

/** What this process is at, which it says again and again, in one query for all, for as long as there is something. */
export class Leases {
  private readonly held = new Map<string, TaskClaim>()
  private timer: NodeJS.Timeout | undefined
  private saying: Promise<void> | undefined

  /** `alsoSay` is said with it, each time. */
  constructor(private readonly alsoSay: () => Promise<void> = async () => undefined) {}

  start(): void {
    this.timer ??= setInterval(() => {
      // One that takes its time is not overtaken by the next.
      this.saying ??= this.say()
        .catch((error) => log.warn({ error: String(error) }, 'leases could not be extended'))
        .finally(() => {
          this.saying = undefined
        })
    }, signOfLifeEveryMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.saying
  }

  hold(claim: TaskClaim): void {
    this.held.set(`${claim.taskId} ${claim.claimVersion}`, claim)
  }

  drop(claim: TaskClaim): void {
    this.held.delete(`${claim.taskId} ${claim.claimVersion}`)
  }

  private async say(): Promise<void> {
    const also = this.alsoSay()
    // Whatever becomes of the one, the other is said.
    await Promise.all([also, this.held.size > 0 && extendLeases([...this.held.values()])])
  }
}

/** Those that were overtaken, put off, or are done have none any more; what is just being ended needs none. */
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
