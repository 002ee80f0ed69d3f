import { wholeSecond } from '../kernel/moment.ts'
import type { Sql } from './db.ts'

/** Which storefront, and which of its two modes. Everything that is read or written belongs to one. */
export interface Scope {
  readonly storefrontId: string
  readonly testmode: boolean
}

/** Real time, for the machinery: leases, retries, limits, signatures. */
export const realNow = (): Date => new Date()

/**
 * The moment in a scope, in whole seconds: real time in live mode, the storefront's own clock in test mode. Inside a
 * transaction the clock is held (`hold`) until the commit, so that it cannot be moved between a task's making and its
 * being seen.
 */
export async function now(sql: Sql, scope: Scope, hold = false): Promise<Date> {
  if (!scope.testmode) return wholeSecond(new Date())
  const rows = hold
    ? await sql.$queryRaw<
        ClockRow[]
      >`SELECT ahead_seconds, frozen_at FROM clocks WHERE storefront_id = ${scope.storefrontId} FOR SHARE`
    : await sql.$queryRaw<
        ClockRow[]
      >`SELECT ahead_seconds, frozen_at FROM clocks WHERE storefront_id = ${scope.storefrontId}`
  const clock = rows[0]
  if (!clock) throw new Error(`storefront ${scope.storefrontId} has no clock`)
  return clock.frozen_at ?? wholeSecond(new Date(Date.now() + Number(clock.ahead_seconds) * 1000))
}

interface ClockRow {
  ahead_seconds: bigint
  frozen_at: Date | null
}
