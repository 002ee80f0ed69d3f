import { randomUUID } from 'node:crypto'
import { db, type Sql } from '../db/db.ts'
import { Advance } from './advance.ts'
import { type AdvanceResult, countDue } from './advance-tasks.ts'
import { leaseMs } from './leases.ts'
import type { TaskRunner } from './task-runner.ts'

export type { AdvanceResult }

/**
 * If the process that runs a clock advance dies, another process resumes the advance. `advance.ts` implements one run
 * of an advance.
 */

const lookAgainMs = 25
/** The maximum duration of a background run of an advance, in milliseconds. A process that stops waits until the run ends. */
const shiftMs = 10_000

/**
 * Runs the tasks that are due up to the target of the clock advance, and then restarts the clock. Stops at `until`
 * (real time, ms) and leaves the remaining tasks to the worker. `runnerId` is the claim of the caller. Without
 * `runnerId`, the call claims the advance or waits for the end of another run.
 */
export async function runAdvance(
  storefrontId: string,
  runner: TaskRunner,
  until: number,
  runnerId: string | null,
): Promise<AdvanceResult> {
  for (;;) {
    const mine = runnerId ?? (await claimAdvance(db(), storefrontId))
    if (mine) return new Advance({ runnerId: mine, storefrontId, runner, until }).run()
    const moves = await db().clocks.count({ where: { storefront_id: storefrontId, advancing_to: { not: null } } })
    if (moves === 0) return { ran: 0, remaining: 0 }
    if (Date.now() >= until) return { ran: 0, remaining: await countDue(storefrontId) }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
  }
}

/** Resumes advances whose process died. The order is random, so that a stuck advance does not block other advances. */
export async function resumeAdvances(runner: TaskRunner, most: number): Promise<Promise<void>[]> {
  if (most <= 0) return []
  const left = await db().$queryRaw<{ storefront_id: string }[]>`
    SELECT storefront_id FROM clocks WHERE advancing_to IS NOT NULL AND (advance_leased_until IS NULL OR advance_leased_until < clock_timestamp())
    ORDER BY random() LIMIT ${most}::int`
  return left.map(async ({ storefront_id: storefrontId }) => {
    const runnerId = await claimAdvance(db(), storefrontId)
    if (runnerId) await new Advance({ runnerId, storefrontId, runner, until: Date.now() + shiftMs }).run()
  })
}

export async function claimAdvance(sql: Sql, storefrontId: string): Promise<string | null> {
  const runnerId = randomUUID()
  const claimed = await sql.$executeRaw`
    UPDATE clocks SET runner_id = ${runnerId}, advance_leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL AND (advance_leased_until IS NULL OR advance_leased_until < clock_timestamp())`
  return claimed === 1 ? runnerId : null
}
