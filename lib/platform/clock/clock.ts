import { wholeSecond } from '../../kernel/moment.ts'
import type { Sql } from '../db/db.ts'
import { emptyFragment, type Fragment, fragment, rawFragment } from '../db/fragment.ts'
import type { LastChange } from '../db/last-change.ts'

export interface Tenant {
  readonly storefrontId: string
  readonly testmode: boolean
  /** The time at which a clock advance runs the current task. Absent in requests, and in tasks that run outside a clock advance. */
  readonly moment?: TaskMoment | undefined
  /** Whether a request enqueued the current task during a clock advance. Absent outside tasks. */
  readonly beside?: boolean | undefined
  /** Who makes the call, for the event log. Absent in tasks and commands, where the service itself acts. */
  readonly by?: Caller | undefined
}

export const byCustomer = (tenant: Tenant): Tenant => ({ ...tenant, by: 'customer' })

/**
 * An API key or a user of the admin area (by id), the buyer on a hosted page (`customer`), or the operator's command
 * line (`staff`).
 */
export type Caller = `key_${string}` | `operator_${string}` | 'customer' | 'staff'

export interface TaskMoment {
  readonly at: Date
  /**
   * How the test clock relates to `at`. `here`: the clock shows `at`. `past`: the clock can show a later time than
   * `at`, because a batch moves the clock to the time of its last task. The transaction then locks the clock
   * exclusively. `apart`: the clock can show a later time than `at`. The task still runs at `at`, because it changes
   * only its own rows.
   */
  readonly clock: 'here' | 'past' | 'apart'
}

/** SQL for the current time in the mode of a row. The row must have a column `testmode`, and the statement must join `clocks` by storefront. */
export const momentOfRow = fragment`(clock_timestamp() + CASE WHEN testmode THEN ahead_seconds ELSE 0 END * interval '1 second')`

/** The tenant for work without a storefront, such as a log-in to the admin area. */
export const everywhere: Tenant = { storefrontId: '', testmode: false }

export const isEverywhere = ({ storefrontId }: Pick<Tenant, 'storefrontId'>): boolean =>
  storefrontId === everywhere.storefrontId

export const ownedBy = ({ storefrontId, testmode }: Tenant) => ({ storefront_id: storefrontId, testmode })

/**
 * The condition that a row belongs to the tenant, as SQL. If the statement has several tables, `table` is the name of
 * the table in the statement.
 */
export function ownedRows({ storefrontId, testmode }: Tenant, table?: string): Fragment {
  const of = table === undefined ? emptyFragment : rawFragment(`${table}.`)
  return fragment`${of}storefront_id = ${storefrontId} AND ${of}testmode = ${testmode}`
}

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

/** The time to which a storefront's test clock is being advanced; null if no advance is in progress. */
export async function advancingTo(sql: Sql, { storefrontId }: Pick<Tenant, 'storefrontId'>): Promise<Date | null> {
  const row = await sql.clocks.findUnique({ where: { storefront_id: storefrontId }, select: { advancing_to: true } })
  return row?.advancing_to ?? null
}

/**
 * Returns the first whole second that is not in the past on the database's clock. The worker uses the same clock, so a
 * task scheduled for this second never runs early. If the test clock is stopped, returns the time of the test clock.
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
  /** Returns `moment`, or the time of the last change by a request if that time is later. A task must not run before such a change. */
  notBefore(moment: Date): Date
  /** True for the first request that changes data at the current time of an advancing test clock. The request must then commit `touchedClock`. */
  readonly isFirstAct: boolean
}

/**
 * Locks the test clock until the end of the transaction, so that no advance begins between the insert of a task and its
 * commit. With `alone` the lock is exclusive: no other transaction of the storefront's test mode runs.
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
 * Records that a request has changed data at the current time of the test clock. This must be the last change of a transaction, because other transactions then
 * wait for the row of the clock.
 */
export const touchedClock = ({ storefrontId }: Tenant): LastChange => ({
  change: fragment`
    UPDATE clocks SET touched_at = frozen_at
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL AND touched_at IS DISTINCT FROM frozen_at`,
  must: null,
})

/** Moves an exclusively locked test clock forward to `moment`. Returns the time of the clock, or null if the clock is running. */
export async function moveHeldClock(sql: Sql, { storefrontId }: Tenant, moment: Date): Promise<Date | null> {
  const [row] = await sql.$queryRaw<{ now: Date }[]>`
    UPDATE clocks SET frozen_at = greatest(frozen_at, ${moment}::timestamptz)
    WHERE storefront_id = ${storefrontId} AND frozen_at IS NOT NULL RETURNING frozen_at AS now`
  return row?.now ?? null
}

const noClock = ({ storefrontId }: Tenant) => new Error(`storefront ${storefrontId} has no clock`)

// Uses the database's time, so that two hosts with different clocks cannot move the time of a storefront back.
const momentOnClock = fragment`coalesce(frozen_at, date_trunc('second', clock_timestamp()) + ahead_seconds * interval '1 second')`
