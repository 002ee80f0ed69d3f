import { Prisma } from '../../../prisma/client/client.ts'
import { wholeSecond } from '../../kernel/moment.ts'
import type { Sql } from '../db/db.ts'

/** Which storefront, and which of its two modes. Everything that is read or written belongs to one. */
export interface Tenant {
  readonly storefrontId: string
  readonly testmode: boolean
  /** In a task that a moved clock runs: the moment that it sees. */
  readonly moment?: TaskMoment | undefined
  /** In a task: whether it was put beside the move of a clock (see testmode/README.md). What no task does is beside it. */
  readonly beside?: boolean | undefined
}

/** The moment of a task that a moved clock runs, and where the clock is by then. */
export interface TaskMoment {
  readonly at: Date
  /**
   * `here`: it stands at that moment. `past`: it is further, since others of later moments were run together; the task is alone with
   * the clock, so that no call acts between its moment and what the clock shows. `apart`: it is further, and it does not
   * matter, since the task concerns nothing but itself.
   */
  readonly clock: 'here' | 'past' | 'apart'
}

/** The columns that say whose a row is. */
export const ownedBy = ({ storefrontId, testmode }: Tenant) => ({ storefront_id: storefrontId, testmode })

/** Real time, for the machinery: leases, retries, limits, signatures. */
export const realNow = (): Date => new Date()

/** The moment in a scope, in whole seconds: real time in live mode, the storefront's own clock in test mode. */
export async function now(sql: Sql, tenant: Tenant): Promise<Date> {
  if (!tenant.testmode) return wholeSecond(new Date())
  if (tenant.moment) return tenant.moment.at
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    SELECT ${momentOnClock} AS now FROM clocks WHERE storefront_id = ${tenant.storefrontId}`
  if (!row) throw noClock(tenant)
  return row.now
}

/**
 * The first whole second that is not before now, by the database's time, as the ringer's is: what is due a time after it never
 * comes early. Where the clock stands still it is the moment at which it stands, and in a task that a moved clock runs the task's.
 */
export async function secondAhead(sql: Sql, tenant: Tenant): Promise<Date> {
  const { storefrontId, testmode } = tenant
  if (tenant.moment) return tenant.moment.at
  const [moment] = testmode
    ? await sql.$queryRaw<{ now: Date }[]>`
        SELECT coalesce(frozen_at, date_trunc('second', clock_timestamp()) + (ahead_seconds + 1) * interval '1 second') AS now
        FROM clocks WHERE storefront_id = ${storefrontId}`
    : await sql.$queryRaw<{ now: Date }[]>`SELECT date_trunc('second', clock_timestamp()) + interval '1 second' AS now`
  if (!moment) throw noClock(tenant)
  return moment.now
}

/** What a transaction knows of the clock that it holds. */
export interface HeldClock {
  readonly now: Date
  /** Not before the latest moment at which a call has acted: a task must not see one before it. */
  notBefore(moment: Date): Date
  /** A call acts at a moment that none has acted at yet in this move: `touchClock` is to say so. */
  readonly isFirstAct: boolean
}

/**
 * Holds the clock until the end of the transaction, so that it cannot be moved between a task's making and its being seen; `alone`,
 * so that nobody else of the storefront's test mode acts meanwhile.
 */
export async function holdClock(sql: Sql, tenant: Tenant, alone: boolean): Promise<HeldClock> {
  if (!tenant.testmode) return { now: wholeSecond(new Date()), notBefore: (moment) => moment, isFirstAct: false }
  const [row] = await sql.$queryRaw<{ now: Date; moving: boolean; touched: Date | null }[]>`
    SELECT now, moving, touched FROM hold_clock(${tenant.storefrontId}, ${alone})`
  if (!row) throw noClock(tenant)
  const { now, moving, touched } = row
  const notBefore = (moment: Date) => (touched && touched > moment ? touched : moment)
  const isNews = moving && !tenant.moment && (touched === null || touched < now)
  if (!tenant.moment) return { now, notBefore, isFirstAct: isNews }
  const { at, clock } = tenant.moment
  return { now: clock === 'apart' ? at : notBefore(at), notBefore, isFirstAct: isNews }
}

/** A call has acted at the moment at which the moved clock stands. Last in its transaction: others wait for this row. */
export async function touchClock(sql: Sql, { storefrontId }: Tenant): Promise<void> {
  await sql.$executeRaw`
    UPDATE clocks SET touched_at = frozen_at
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL AND touched_at IS DISTINCT FROM frozen_at`
}

/** Moves the clock that is held alone to `moment`, never back. Answers what it shows then, or null when no move is under way. */
export async function moveHeldClock(sql: Sql, { storefrontId }: Tenant, moment: Date): Promise<Date | null> {
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    UPDATE clocks SET frozen_at = greatest(frozen_at, ${moment}::timestamptz)
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL RETURNING frozen_at AS now`
  return row?.now ?? null
}

const noClock = ({ storefrontId }: Tenant) => new Error(`storefront ${storefrontId} has no clock`)

// The database's time, as where the clock is moved: two hosts that differ must not show it going back.
const momentOnClock = Prisma.sql`coalesce(frozen_at, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second')`
