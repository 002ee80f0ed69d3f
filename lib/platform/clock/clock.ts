import { wholeSecond } from '../../kernel/moment.ts'
import type { Sql } from '../db/db.ts'
import { fragment } from '../db/fragment.ts'
import type { LastChange } from '../db/last-change.ts'

/** A tenant: a storefront and one of its two modes. Everything that is read or written belongs to one. */
export interface Tenant {
  readonly storefrontId: string
  readonly testmode: boolean
  /** In a task that a clock advance runs: the moment that the task sees. */
  readonly moment?: TaskMoment | undefined
  /**
   * In a task: whether it was written during a clock advance but is unrelated to it (see
   * lib/modules/test-helpers/README.md). What no task does is unrelated.
   */
  readonly beside?: boolean | undefined
}

/** The moment of a task that a clock advance runs, and where the clock is by then. */
export interface TaskMoment {
  readonly at: Date
  /**
   * `here`: the clock stands at that moment. `past`: the clock is further, since tasks of later moments ran in the same
   * batch; the task holds the clock exclusively, so that no call acts between its moment and what the clock shows.
   * `apart`: the clock is further, and that does not matter, since the task concerns nothing but itself.
   */
  readonly clock: 'here' | 'past' | 'apart'
}

/** The moment on the clock of a row with `testmode`, in a statement that joins the row's storefront of `clocks`. */
export const momentOfRow = fragment`(clock_timestamp() + CASE WHEN testmode THEN ahead_seconds ELSE 0 END * interval '1 second')`

/** Of what belongs to no storefront, such as a log-in to the admin area or a check of the whole installation. */
export const everywhere: Tenant = { storefrontId: '', testmode: false }

export const isEverywhere = ({ storefrontId }: Pick<Tenant, 'storefrontId'>): boolean =>
  storefrontId === everywhere.storefrontId

/** The columns that identify the tenant of a row. */
export const ownedBy = ({ storefrontId, testmode }: Tenant) => ({ storefront_id: storefrontId, testmode })

/** Real time, for technical purposes: leases, retries, limits, signatures. */
export const realNow = (): Date => new Date()

/**
 * The current moment of a tenant, in whole seconds: real time in live mode, the storefront's own clock in test mode.
 */
export async function now(sql: Sql, tenant: Tenant): Promise<Date> {
  if (!tenant.testmode) return wholeSecond(new Date())
  if (tenant.moment) return tenant.moment.at
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    SELECT ${momentOnClock} AS now FROM clocks WHERE storefront_id = ${tenant.storefrontId}`
  if (!row) throw noClock(tenant)
  return row.now
}

/** The moment that a storefront's test clock is being advanced to; null while it is not. */
export async function advancingTo(sql: Sql, { storefrontId }: Pick<Tenant, 'storefrontId'>): Promise<Date | null> {
  const row = await sql.clocks.findUnique({ where: { storefront_id: storefrontId }, select: { advancing_to: true } })
  return row?.advancing_to ?? null
}

/**
 * The first whole second that is not before now, by the database's time, which the worker uses too: what is due an
 * interval after it never comes early. On a clock that stands still, the moment at which it stands; in a task that a
 * clock advance runs, the task's moment.
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

/** What a transaction knows about the clock that it holds. */
export interface HeldClock {
  readonly now: Date
  /**
   * Returns `moment`, but never one before the latest moment at which a call has acted: a task must not see an earlier
   * one.
   */
  notBefore(moment: Date): Date
  /** Whether this is the first call of the advance to act at this moment: `touchedClock` must record it. */
  readonly isFirstAct: boolean
}

/**
 * Holds the clock until the end of the transaction, so that it cannot be advanced between the writing of a task and its
 * commit. With `alone` the lock is exclusive, so that no other transaction of the storefront's test mode acts
 * meanwhile.
 */
export async function holdClock(sql: Sql, tenant: Tenant, alone: boolean): Promise<HeldClock> {
  if (!tenant.testmode) return { now: wholeSecond(new Date()), notBefore: (moment) => moment, isFirstAct: false }
  const [row] = await sql.$queryRaw<{ now: Date; moving: boolean; touched: Date | null }[]>`
    SELECT now, moving, touched FROM hold_clock(${tenant.storefrontId}, ${alone})`
  if (!row) throw noClock(tenant)
  const { now, moving, touched } = row
  const notBefore = (moment: Date) => (touched && touched > moment ? touched : moment)
  const isFirstAct = moving && !tenant.moment && (touched === null || touched < now)
  if (!tenant.moment) return { now, notBefore, isFirstAct }
  const { at, clock } = tenant.moment
  return { now: clock === 'apart' ? at : notBefore(at), notBefore, isFirstAct }
}

/**
 * Records that a call has acted at the moment at which the clock stands: the last change of the transaction, since others
 * wait for this row.
 */
export const touchedClock = ({ storefrontId }: Tenant): LastChange => ({
  change: fragment`
    UPDATE clocks SET touched_at = frozen_at
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL AND touched_at IS DISTINCT FROM frozen_at`,
  must: null,
})

/**
 * Moves a clock that is held exclusively to `moment`, never back. Returns the time it shows then, or null if no advance
 * is in progress.
 */
export async function moveHeldClock(sql: Sql, { storefrontId }: Tenant, moment: Date): Promise<Date | null> {
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    UPDATE clocks SET frozen_at = greatest(frozen_at, ${moment}::timestamptz)
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL RETURNING frozen_at AS now`
  return row?.now ?? null
}

const noClock = ({ storefrontId }: Tenant) => new Error(`storefront ${storefrontId} has no clock`)

// The database's time is used here and wherever the clock is moved: with two hosts that differ, the clock must not go
// back.
const momentOnClock = fragment`coalesce(frozen_at, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second')`
