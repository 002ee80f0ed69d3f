import { Prisma } from '../../prisma/client/client.ts'
import { wholeSecond } from '../kernel/moment.ts'
import type { Sql } from './db.ts'

/** Which storefront, and which of its two modes. Everything that is read or written belongs to one. */
export interface Scope {
  readonly storefrontId: string
  readonly testmode: boolean
}

/** The columns that say whose a row is. */
export const whose = ({ storefrontId, testmode }: Scope) => ({ storefront_id: storefrontId, testmode })

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
        Moment[]
      >`SELECT ${momentOnClock} AS now FROM clocks WHERE storefront_id = ${scope.storefrontId} FOR SHARE`
    : await sql.$queryRaw<
        Moment[]
      >`SELECT ${momentOnClock} AS now FROM clocks WHERE storefront_id = ${scope.storefrontId}`
  const moment = rows[0]
  if (!moment) throw new Error(`storefront ${scope.storefrontId} has no clock`)
  return moment.now
}

/**
 * The first whole second that is not before now, by the database's time, as the ringer's is: what is due a time after it never
 * comes early. Where the clock stands still it is the moment at which it stands.
 */
export async function secondAhead(sql: Sql, { storefrontId, testmode }: Scope): Promise<Date> {
  const [moment] = testmode
    ? await sql.$queryRaw<Moment[]>`
        SELECT coalesce(frozen_at, date_trunc('second', clock_timestamp()) + (ahead_seconds + 1) * interval '1 second') AS now
        FROM clocks WHERE storefront_id = ${storefrontId}`
    : await sql.$queryRaw<Moment[]>`SELECT date_trunc('second', clock_timestamp()) + interval '1 second' AS now`
  if (!moment) throw new Error(`storefront ${storefrontId} has no clock`)
  return moment.now
}

interface Moment {
  now: Date
}

// The database's time, as where the clock is moved: two hosts that differ must not show it going back.
const momentOnClock = Prisma.sql`coalesce(frozen_at, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second')`
