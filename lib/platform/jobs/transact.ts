import type { IdPrefix } from '../../kernel/ids.ts'
import {
  now as clockNow,
  type HeldClock,
  holdClock,
  isEverywhere,
  moveHeldClock,
  realNow,
  type Tenant,
  touchedClock,
} from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import { isConflict } from '../db/conflict.ts'
import { db, type Sql } from '../db/db.ts'
import type { LastChange } from '../db/last-change.ts'
import { failpoint } from './failpoint.ts'
import {
  completion,
  insertTasks,
  type NewTask,
  postponement,
  Reschedule,
  runTaskNow,
  type Task,
  type TaskClaim,
} from './tasks.ts'
import { wake } from './wake.ts'

/** The tenant of a call. Also defines what commits together with the changes of the call: the stored response (`answer`) or the completed task (`claim`). */
export interface RequestContext extends Tenant {
  readonly answer?: (sql: Sql, result: unknown) => Promise<LastChange | null>
  readonly claim?: TaskClaim | readonly TaskClaim[]
  /**
   * A value that is the same for a request and its retries. An operation with several transactions stores the value, so
   * that a retry after a crash continues the operation instead of starting it again.
   */
  readonly requestIdentity?: string
}

/** The context without `answer` and `claim`, for a transaction that is not the last transaction of its call. */
export const withoutCompletion = ({ storefrontId, testmode, moment, beside, by }: Tenant): Tenant => ({
  storefrontId,
  testmode,
  ...(moment && { moment }),
  ...(beside !== undefined && { beside }),
  ...(by !== undefined && { by }),
})

/**
 * Writes events. The new events are delivered after the event `after`. `after` is null for the first events of a transaction, and `nothing` for independent
 * events. Returns the event after which later events are delivered (`cause`), and the number of created deliveries.
 */
export type Publish<Event> = (
  sql: Sql,
  tenant: Tenant,
  now: Date,
  events: readonly Event[],
  after: string | null | typeof nothing,
) => Promise<{ cause: string | null; deliveries: number }>

export const nothing = Symbol('nothing')

export interface Transaction<Event> extends Tenant {
  readonly sql: Sql
  readonly now: Date
  newId(prefix: IdPrefix): string
  emit(...events: readonly Event[]): Promise<void>
  /** Emits events that are delivered independently of each other. For a single event, the function works like `emit`. */
  emitAll(events: readonly Event[]): Promise<void>
  /**
   * Sets the time of the transaction's events. By default, the first `emit` sets this time. Call this function together
   * with the statement that takes the last lock, to save a round trip while other transactions wait for that lock.
   */
  dateEvents(): Promise<void>
  enqueue<Data>(task: Task<Data>, at: NewTask<Data>): Promise<void>
  enqueueAll<Data>(task: Task<Data>, tasks: readonly NewTask<Data>[]): Promise<void>
  /** Sends a statement together with COMMIT. If the statement changes an unexpected number of rows, the transaction rolls back. */
  changeLast(change: LastChange): void
  runNow<Data>(task: Task<Data>, key: string): Promise<void>
  /** Returns this transaction with its clock set to the time of one task of the batch. The tasks of a clock advance have different times. */
  at(claim: TaskClaim): Transaction<Event>
}

const attempts = 8

export const transactor =
  <Event>(publish: Publish<Event>) =>
  <Result>(context: RequestContext, work: (tx: Transaction<Event>) => Promise<Result>): Promise<Result> =>
    transact(publish, context, work)

/**
 * Commits the changes of `work`, its events, its tasks, and the completion of the call together. Deadlocks,
 * serialization failures, unique violations, and statements that a migration made outdated are retried with a new `Transaction`,
 * up to 8 attempts. Any other error rolls back and is thrown.
 */
async function transact<Event, Result>(
  publish: Publish<Event>,
  context: RequestContext,
  work: (tx: Transaction<Event>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(publish, context, work)
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

async function attemptOnce<Event, Result>(
  publish: Publish<Event>,
  context: RequestContext,
  work: (tx: Transaction<Event>) => Promise<Result>,
): Promise<Result> {
  let hasDueTasks = false
  const result = await db().$transaction(async (sql, withCommit) => {
    const admitted = admit(sql, context)
    try {
      const attempt = { ...(await begin(sql, context)), publish, changeLast: withCommit }
      const result = await work(transactionAt(attempt, attempt.now))
      for (const change of await lastChanges(attempt, context, result)) withCommit(change)
      await admitted
      hasDueTasks = attempt.hasDueTasks
      failpoint('transaction.before_commit')
      return result
    } catch (error) {
      // If `admit` failed, throws the error of `admit`, because that error caused `error`.
      await admitted
      throw error
    }
  })
  failpoint('transaction.committed')
  if (hasDueTasks || (result instanceof Reschedule && !context.moment)) wake()
  return result
}

interface Attempt<Event> extends Begun {
  readonly publish: Publish<Event>
  readonly changeLast: Transaction<Event>['changeLast']
}

interface Begun {
  readonly sql: Sql
  readonly tenant: Tenant
  readonly clock: HeldClock
  readonly now: Date
  readonly isAdvance: boolean
  cause: string | null
  /** The time of all events, read at the first event or by `dateEvents`. Null until then. */
  eventsAt: Date | null
  hasDueTasks: boolean
}

/**
 * In live mode, fails while the storefront is on hold, and makes a new hold wait for the end of the transaction. In
 * test mode, the lock of the clock has these two effects.
 */
function admit(sql: Sql, context: RequestContext): Promise<unknown> {
  if (context.testmode || isEverywhere(context)) return Promise.resolve()
  const admitted = sql.$executeRaw`SELECT hold_storefront(${context.storefrontId})::text`
  admitted.catch(() => 'it is awaited at the end')
  return admitted
}

async function begin(sql: Sql, context: RequestContext): Promise<Begun> {
  const last = lastMomentOfBatch(context)
  const clock = await holdClock(sql, context, last !== null || context.moment?.clock === 'past')
  const moved = last && (await moveHeldClock(sql, context, last))
  if (last && !moved) throw new StaleClaim()
  return {
    sql,
    clock,
    now: moved ?? clock.now,
    isAdvance: last !== null || context.moment !== undefined,
    tenant: withoutCompletion(context),
    cause: null,
    eventsAt: null,
    hasDueTasks: false,
  }
}

async function lastChanges({ sql, tenant, clock, isAdvance }: Begun, context: RequestContext, result: unknown) {
  const answered = (await context.answer?.(sql, result)) ?? null
  const completed = context.claim ? completedClaim(tenant, context.claim, result) : null
  const touched = clock.isFirstAct && !isAdvance ? touchedClock(context) : null
  return [answered, completed, touched].filter((change) => change !== null)
}

function transactionAt<Event>(attempt: Attempt<Event>, now: Date): Transaction<Event> {
  const { sql, tenant, clock } = attempt
  const own: Transaction<Event> = {
    ...tenant,
    sql,
    now,
    newId: (prefix) => newId(prefix, now),
    async emit(...events) {
      attempt.cause = await emitAt(attempt, now, events, attempt.cause)
    },
    async emitAll(events) {
      if (events.length === 1) await own.emit(...events)
      else await emitAt(attempt, now, events, nothing)
    },
    async dateEvents() {
      // Reads the time only in test mode. In live mode, `emit` can read the time without a statement, and the later
      // time is more accurate.
      if (tenant.testmode) await momentOfEvents(attempt, now)
    },
    enqueue: (task, at) => own.enqueueAll(task, [at]),
    async enqueueAll(task, tasks) {
      // Tasks that are due later need no wake-up, because the worker finds them when it polls.
      const soon = task.clock === 'real' ? realNow() : now
      if (tasks.some(({ dueAt }) => dueAt <= soon)) noteDueTask(attempt, task.clock)
      await insertTasks(sql, tenant, now, task, tasks)
    },
    changeLast: attempt.changeLast,
    async runNow(task, key) {
      noteDueTask(attempt, 'storefront')
      await runTaskNow(sql, task.name, key)
    },
    at: ({ moment }) =>
      moment ? transactionAt(attempt, moment.clock === 'apart' ? moment.at : clock.notBefore(moment.at)) : own,
  }
  return own
}

async function emitAt<Event>(
  attempt: Attempt<Event>,
  now: Date,
  events: readonly Event[],
  after: string | null | typeof nothing,
): Promise<string | null> {
  const { sql, tenant } = attempt
  const published = await attempt.publish(sql, tenant, await momentOfEvents(attempt, now), events, after)
  if (published.deliveries > 0) noteDueTask(attempt, 'storefront')
  return published.cause
}

/** The time of the transaction's events. It is read after the last lock, because a transaction can wait for a lock while the clock continues. */
async function momentOfEvents(attempt: Begun, now: Date): Promise<Date> {
  if (attempt.isAdvance) return now
  attempt.eventsAt ??= await clockNow(attempt.sql, attempt.tenant)
  return attempt.eventsAt
}

/** Requests a wake-up of the worker for a due task, unless the clock advance that runs this transaction also runs the task. */
function noteDueTask(attempt: Begun, clock: 'storefront' | 'real'): void {
  attempt.hasDueTasks ||= !(attempt.isAdvance && clock === 'storefront')
}

function lastMomentOfBatch({ claim, moment }: RequestContext): Date | null {
  if (moment || !claim || 'taskId' in claim) return null
  const moments = claim.flatMap(({ moment }) => moment?.at.getTime() ?? [])
  return moments.length > 0 ? new Date(Math.max(...moments)) : null
}

function completedClaim(tenant: Tenant, claim: TaskClaim | readonly TaskClaim[], result: unknown): LastChange {
  const claims = 'taskId' in claim ? [claim] : claim
  const [only] = claims
  const otherwise = () => new StaleClaim()
  return result instanceof Reschedule && only
    ? { change: postponement(tenant, only, result), must: { rows: 1, otherwise } }
    : { change: completion(claims), must: { rows: claims.length, otherwise } }
}

/** A newer claim has taken over the task, so this run must not commit. */
export class StaleClaim extends Error {
  constructor() {
    super('a newer claim of the task has replaced this one')
  }
}

export class BatchChanged extends Error {
  constructor() {
    super('the tasks of the batch run one by one')
  }
}
