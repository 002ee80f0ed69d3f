import { Prisma } from '../../../prisma/client/client.ts'
import type { IdPrefix } from '../../kernel/ids.ts'
import { now as clockNow, holdClock, moveHeldClock, realNow, type Tenant, touchClock } from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import { db, type Sql } from '../db/db.ts'
import { failpoint } from './failpoint.ts'
import { type Event, publish } from './outbox.ts'
import {
  completeTasks,
  insertTasks,
  Reschedule,
  rescheduleTask,
  runTaskNow,
  type Task,
  type TaskClaim,
} from './tasks.ts'
import { wake } from './wake.ts'

/**
 * The tenant of one call, and what must commit in the same transaction as its result: the idempotent answer of a
 * request, the completion of a task.
 */
export interface RequestContext extends Tenant {
  readonly answer?: (sql: Sql, result: unknown) => Promise<void>
  /** The tasks that the call completes: one, or each task of a batch. */
  readonly claim?: TaskClaim | readonly TaskClaim[]
  /** The key of the request, for an operation with several transactions that must recognize its own repetition. */
  readonly idempotencyKey?: string
}

/** The same tenant without what completes the call, for a transaction that is not its last. */
export const withoutCompletion = ({ storefrontId, testmode, moment, beside }: Tenant): Tenant => ({
  ...{ storefrontId, testmode },
  ...(moment && { moment }),
  ...(beside !== undefined && { beside }),
})

/** What an operation works with inside its transaction. Created anew for each attempt. */
export interface Transaction extends Tenant {
  readonly sql: Sql
  /** The moment of the change on the tenant's clock, in whole seconds. */
  readonly now: Date
  newId(prefix: IdPrefix): string
  emit(event: Event): Promise<void>
  /**
   * Emits several independent events: none of them waits for the delivery of another one. A single event is emitted as
   * by `emit`.
   */
  emitAll(events: readonly Event[]): Promise<void>
  enqueue<Data>(task: Task<Data>, at: { key: string; data: Data; dueAt: Date }): Promise<void>
  enqueueAll<Data>(task: Task<Data>, tasks: readonly { key: string; data: Data; dueAt: Date }[]): Promise<void>
  /** Runs a waiting task at once. */
  runNow<Data>(task: Task<Data>, key: string): Promise<void>
  /** The same transaction at the moment of one task of a batch: during a clock advance each task has its own moment. */
  at(claim: TaskClaim): Transaction
}

const attempts = 8

/**
 * Runs `work` in one transaction and commits its changes, events and tasks and the completion of the call; or nothing.
 * Deadlocks, serialization failures and lost races for a unique row are retried with a new `Transaction`, up to 8
 * attempts in all. Any other error, refusals included, rolls back and is thrown to the caller.
 */
export async function transact<Result>(
  context: RequestContext,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      let hasTasks = false
      const result = await db().$transaction(
        async (sql) => {
          const last = lastMomentOfBatch(context)
          const clock = await holdClock(sql, context, last !== null || context.moment?.clock === 'past')
          const moved = last && (await moveHeldClock(sql, context, last))
          if (last && !moved) throw new StaleClaim()
          const isMoved = last !== null || context.moment !== undefined
          let cause: string | null = null
          let eventsAt: Date | null = null
          const tenant = withoutCompletion(context)
          // Tasks on a clock that is being advanced are found by the runner of the advance, not by the worker.
          const isDue = (is: boolean, clock: 'storefront' | 'real' = 'storefront') => {
            hasTasks ||= is && !(isMoved && clock === 'storefront')
          }
          const transactionAt = (now: Date): Transaction => {
            const emit = async (events: readonly Event[], after: string | null) => {
              // An event is dated when its change is certain: the transaction may have waited for a lock.
              if (!isMoved) eventsAt ??= await clockNow(sql, context)
              const published = await publish(sql, tenant, eventsAt ?? now, events, after)
              isDue(published.deliveries > 0)
              return published.cause
            }
            const enqueueAll: Transaction['enqueueAll'] = async (task, tasks) => {
              // The worker finds later tasks at its next look; only tasks that are due now need a wake-up.
              const soon = task.clock === 'real' ? realNow() : now
              isDue(
                tasks.some(({ dueAt }) => dueAt <= soon),
                task.clock,
              )
              await insertTasks(sql, tenant, now, task, tasks)
            }
            const own: Transaction = {
              ...tenant,
              sql,
              now,
              newId: (prefix) => newId(prefix, now),
              emit: async (event) => {
                cause = await emit([event], cause)
              },
              emitAll: async (events) => {
                if (events.length === 1) cause = await emit(events, cause)
                else await emit(events, null)
              },
              enqueue: (task, at) => enqueueAll(task, [at]),
              enqueueAll: enqueueAll,
              runNow: async (task, key) => {
                isDue(true)
                await runTaskNow(sql, task.name, key)
              },
              at: ({ moment }) => (moment ? transactionAt(clock.notBefore(moment.at)) : own),
            }
            return own
          }
          const result = await work(transactionAt(moved ?? clock.now))
          await context.answer?.(sql, result)
          if (context.claim) await completeClaim(sql, tenant, context.claim, result)
          if (clock.isFirstAct && !isMoved) await touchClock(sql, context)
          failpoint('transaction.before_commit')
          return result
        },
        { timeout: 20_000, maxWait: 10_000 },
      )
      failpoint('transaction.committed')
      if (hasTasks || (result instanceof Reschedule && !context.moment)) wake()
      return result
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

/**
 * The moment of the last task of a batch during a clock advance; null otherwise. A task that runs alone has its moment
 * in the context.
 */
function lastMomentOfBatch({ claim, moment }: RequestContext): Date | null {
  if (moment || !claim || 'taskId' in claim) return null
  const moments = claim.flatMap(({ moment }) => moment?.at.getTime() ?? [])
  return moments.length > 0 ? new Date(Math.max(...moments)) : null
}

async function completeClaim(
  sql: Sql,
  tenant: Tenant,
  claim: TaskClaim | readonly TaskClaim[],
  result: unknown,
): Promise<void> {
  const claims = 'taskId' in claim ? [claim] : claim
  const [only] = claims
  const mine =
    result instanceof Reschedule && only
      ? await rescheduleTask(sql, tenant, only, result.dueAt)
      : await completeTasks(sql, claims)
  if (!mine) throw new StaleClaim()
}

/** A newer claim has taken the task over: this run must leave no trace. */
export class StaleClaim extends Error {
  constructor() {
    super('a newer claim of the task has replaced this one')
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    // Another transaction inserted the unique row first: the next attempt sees it and decides again.
    if (error.code === 'P2034' || error.code === 'P2002') return true
    if (error.code === 'P2010') return /Code: `(?:40001|40P01|23505)`|deadlock|could not serialize/.test(error.message)
  }
  const cause = (error as { cause?: { kind?: string } } | null)?.cause
  return cause?.kind === 'TransactionWriteConflict'
}
