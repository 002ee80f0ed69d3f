import { randomUUID } from 'node:crypto'
import { db, type Sql } from '../db/db.ts'
import { Advance, type AdvanceResult } from './advance.ts'
import { countDue } from './advance-tasks.ts'
import { leaseMs } from './leases.ts'
import type { TaskRunner } from './task-runner.ts'

export type { AdvanceResult }

/**
 * Who moves the clock of a storefront's test mode. A drive is leased: when its process dies, another takes it up where it stood.
 * What a drive does is in clock-move.ts.
 */

const lookAgainMs = 25
/** A drive in the background is handed on after this, so that a process that is asked to stop soon can. */
const shiftMs = 10_000

/**
 * Runs what is due up to the moment the clock is being moved to, then lets it run on from there. Gives up at `until`
 * (real time, ms) and leaves the rest to the ringer. `driver` is the one who began the move; without one the clock is
 * taken up when nobody drives it, and else watched until it arrives.
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

/**
 * Drives of clocks that were left moving: by a dead process, or by a call whose time was up. At most so many, by lot: those that
 * stand, however often they are tried, must not keep others from their turn.
 */
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

/** Claims a moving clock that nobody drives. Answers the driver's name, or null. */
export async function claimAdvance(sql: Sql, storefrontId: string): Promise<string | null> {
  const runnerId = randomUUID()
  const claimed = await sql.$executeRaw`
    UPDATE clocks SET runner_id = ${runnerId}, advance_leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL AND (advance_leased_until IS NULL OR advance_leased_until < clock_timestamp())`
  return claimed === 1 ? runnerId : null
}
