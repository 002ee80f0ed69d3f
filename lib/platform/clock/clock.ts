import { wholeSecond } from '../../kernel/moment.ts'
import type { Sql } from '../db/db.ts'
import { fragment } from '../db/fragment.ts'
import type { LastChange } from '../db/last-change.ts'

/** A storefront and one of its two modes. */
export interface Tenant {
  readonly storefrontId: string
  readonly testmode: boolean
  /** In a task that a clock advance runs: the time that the task sees. */
  readonly moment?: TaskMoment | undefined
  /** In a task: whether it was written during a clock advance but is unrelated to it, as calls outside a task are. */
  readonly beside?: boolean | undefined
}

export interface TaskMoment {
  readonly at: Date
  /**
   * `here`: the clock stands at that time. `past`: the clock is further, as tasks of later times ran in the same batch,
   * and the task holds it exclusively. `apart`: the clock is further, but the task affects nothing else.
   */
  readonly clock: 'here' | 'past' | 'apart'
}

/** The time on the clock of a row with `testmode`, in a statement that joins the row's storefront of `clocks`. */
export const momentOfRow = fragment`(clock_timestamp() + CASE WHEN testmode THEN ahead_seconds ELSE 0 END * interval '1 second')`

/** For work that belongs to no storefront, such as a log-in to the admin area or a check of the whole installation. */
export const everywhere: Tenant = { storefrontId: '', testmode: false }

export const isEverywhere = ({ storefrontId }: Pick<Tenant, 'storefrontId'>): boolean =>
  storefrontId === everywhere.storefrontId

export const ownedBy = ({ storefrontId, testmode }: Tenant) => ({ storefront_id: storefrontId, testmode })

/** Real time, for technical purposes: leases, retries, limits, signatures. */
export const realNow = (): Date => new Date()

/** The current time of a tenant, in whole seconds: real time in live mode, the storefront's test clock in test mode. */
export async function now(sql: Sql, tenant: Tenant): Promise<Date> {
  if (!tenant.testmode) return wholeSecond(new Date())
  if (tenant.moment) return tenant.moment.at
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    SELECT ${momentOnClock} AS now FROM clocks WHERE storefront_id = ${tenant.storefrontId}`
  if (!row) throw noClock(tenant)
  return row.now
}

/** The time to which a storefront's test clock is being advanced; null while it is not. */
export async function advancingTo(sql: Sql, { storefrontId }: Pick<Tenant, 'storefrontId'>): Promise<Date | null> {
  const row = await sql.clocks.findUnique({ where: { storefront_id: storefrontId }, select: { advancing_to: true } })
  return row?.advancing_to ?? null
}

/**
 * The first whole second that is not in the past, by the database's time, which the worker uses too, so what is due an
 * interval later never runs early. On a stopped clock, the time of that clock; in a task of an advance, the task's.
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

export interface HeldClock {
  readonly now: Date
  /** Never earlier than the latest time at which a call has acted: a task must not see an earlier time. */
  notBefore(moment: Date): Date
  /** Whether this is the first call to act at this time of the advance: `touchedClock` must record it. */
  readonly isFirstAct: boolean
}

/**
 * Holds the clock until the end of the transaction, so that it cannot be advanced between the writing of a task and its
 * commit. With `alone` the lock is exclusive: no other transaction of the storefront's test mode acts meanwhile.
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

/** The last change of the transaction, because others wait for this row. */
export const touchedClock = ({ storefrontId }: Tenant): LastChange => ({
  change: fragment`
    UPDATE clocks SET touched_at = frozen_at
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL AND touched_at IS DISTINCT FROM frozen_at`,
  must: null,
})

/** Moves an exclusively held clock to `moment`, never back. Returns its time, or null if no advance is in progress. */
export async function moveHeldClock(sql: Sql, { storefrontId }: Tenant, moment: Date): Promise<Date | null> {
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    UPDATE clocks SET frozen_at = greatest(frozen_at, ${moment}::timestamptz)
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL RETURNING frozen_at AS now`
  return row?.now ?? null
}

const noClock = ({ storefrontId }: Tenant) => new Error(`storefront ${storefrontId} has no clock`)

// The database's time, so that two hosts with different times cannot move the clock back.
const momentOnClock = fragment`coalesce(frozen_at, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second')`
