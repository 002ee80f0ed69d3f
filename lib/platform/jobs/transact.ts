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

/** The tenant of one call, and what must commit with its result: a stored response, or the completion of a task. */
export interface RequestContext extends Tenant {
  readonly answer?: (sql: Sql, result: unknown) => Promise<LastChange | null>
  /** The tasks that the call completes: one task, or each task of a batch. */
  readonly claim?: TaskClaim | readonly TaskClaim[]
  /** The same for each repetition of the request, so that an operation with several transactions recognizes its own. */
  readonly requestIdentity?: string
}

/** The same tenant without the completion of the call, for a transaction that is not the last. */
export const withoutCompletion = ({ storefrontId, testmode, moment, beside }: Tenant): Tenant => ({
  storefrontId,
  testmode,
  ...(moment && { moment }),
  ...(beside !== undefined && { beside }),
})

/**
 * Writes events in the transaction of their change. `after` is the event that they follow from; null for the first
 * events, and `nothing` for independent events. An event is delivered after the event that it follows from. Returns the
 * cause of later events, and the number of deliveries so far.
 */
export type Publish<Event> = (
  sql: Sql,
  tenant: Tenant,
  now: Date,
  events: readonly Event[],
  after: string | null | typeof nothing,
) => Promise<{ cause: string | null; deliveries: number }>

export const nothing = Symbol('nothing')

/** The tools of an operation inside its transaction. Created again for each attempt. */
export interface Transaction<Event> extends Tenant {
  readonly sql: Sql
  /** The time of the change on the tenant's clock, in whole seconds. */
  readonly now: Date
  newId(prefix: IdPrefix): string
  emit(...events: readonly Event[]): Promise<void>
  /** Emits independent events, none of which waits for another. A single event is emitted as by `emit`. */
  emitAll(events: readonly Event[]): Promise<void>
  /**
   * Fixes the time of the transaction's events, which the first emitted event does otherwise. If it is sent together
   * with the statement that waits for the last lock, it costs no extra round trip while others wait for that lock.
   */
  dateEvents(): Promise<void>
  enqueue<Data>(task: Task<Data>, at: NewTask<Data>): Promise<void>
  enqueueAll<Data>(task: Task<Data>, tasks: readonly NewTask<Data>[]): Promise<void>
  /** Sends a change with the COMMIT. The operation must not depend on the result. A wrong number of rows rolls back. */
  changeLast(change: LastChange): void
  runNow<Data>(task: Task<Data>, key: string): Promise<void>
  /** The same transaction at the time of one task of a batch: during a clock advance each task has its own time. */
  at(claim: TaskClaim): Transaction<Event>
}

const attempts = 8

export const transactor =
  <Event>(publish: Publish<Event>) =>
  <Result>(context: RequestContext, work: (tx: Transaction<Event>) => Promise<Result>): Promise<Result> =>
    transact(publish, context, work)

/**
 * Runs `work` in one transaction and commits its changes, events, tasks, and the completion of the call together, or
 * not at all. Deadlocks, serialization failures, and lost races for a unique row are retried with a new `Transaction`,
 * up to 8 attempts. Any other error, refusals included, rolls back and is thrown to the caller.
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
      // If admission failed, its error is the cause of later errors.
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
  /** The first event of the transaction. Later events are delivered after it. */
  cause: string | null
  /** The time at which the first event was certain. */
  eventsAt: Date | null
  hasDueTasks: boolean
}

/**
 * In live mode it fails while the storefront is on hold, and a new hold waits for the end of the transaction. It costs
 * no extra round trip. In test mode the lock of the clock does both.
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
      // In live mode the time is read without a statement, and a later time is better.
      if (tenant.testmode) await momentOfEvents(attempt, now)
    },
    enqueue: (task, at) => own.enqueueAll(task, [at]),
    async enqueueAll(task, tasks) {
      // The worker finds later tasks at its next look. Only tasks that are due now need a wake-up.
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

/** An event is dated when its change is certain: the transaction may have waited for a lock. */
async function momentOfEvents(attempt: Begun, now: Date): Promise<Date> {
  if (attempt.isAdvance) return now
  attempt.eventsAt ??= await clockNow(attempt.sql, attempt.tenant)
  return attempt.eventsAt
}

/** The runner of an advance, not the worker, finds tasks on a clock that is being advanced. */
function noteDueTask(attempt: Begun, clock: 'storefront' | 'real'): void {
  attempt.hasDueTasks ||= !(attempt.isAdvance && clock === 'storefront')
}

/** Null outside an advance. A task that runs alone has its time in the context. */
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

/** A newer claim has taken the task over, so this run must leave no trace. */
export class StaleClaim extends Error {
  constructor() {
    super('a newer claim of the task has replaced this one')
  }
}

/** The tasks of a batch can no longer run together. The batch is rolled back, and each task runs alone. */
export class BatchChanged extends Error {
  constructor() {
    super('the tasks of the batch run one by one')
  }
}
