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
 * The scope of one call: a storefront and mode, and what must commit together with the result (the idempotent answer of
 * a request, the end of a task).
 */
export interface RequestContext extends Tenant {
  readonly answer?: (sql: Sql, result: unknown) => Promise<void>
  /** What ends with the call: one task, or each of many. */
  readonly claim?: TaskClaim | readonly TaskClaim[]
  /** Of the request, for an operation of several transactions that must know its own repetition. */
  readonly idempotencyKey?: string
}

/** The same scope for a step that does not yet end the call. */
export const withoutCompletion = ({ storefrontId, testmode, moment, beside }: Tenant): Tenant => ({
  ...{ storefrontId, testmode },
  ...(moment && { moment }),
  ...(beside !== undefined && { beside }),
})

/** What an operation works with inside its transaction. Made afresh for each attempt. */
export interface Transaction extends Tenant {
  readonly sql: Sql
  /** The moment of the change on the storefront's clock, in whole seconds. */
  readonly now: Date
  newId(prefix: IdPrefix): string
  emit(event: Event): Promise<void>
  /** Many at once that have nothing to do with each other: none is delivered after another one. */
  emitAll(events: readonly Event[]): Promise<void>
  enqueue<Data>(task: Task<Data>, at: { key: string; data: Data; dueAt: Date }): Promise<void>
  enqueueAll<Data>(task: Task<Data>, tasks: readonly { key: string; data: Data; dueAt: Date }[]): Promise<void>
  /** Rings a waiting task at once. */
  runNow<Data>(task: Task<Data>, key: string): Promise<void>
  /** The same work at the moment of one of the tasks that end with the call: where a moved clock runs many, each has its own. */
  at(claim: TaskClaim): Transaction
}

const attempts = 8

/**
 * Runs `work` in one transaction and commits its changes, its events, its tasks and the end of the call together; or
 * nothing of it. Deadlocks, serialisation failures and lost races for a unique row are tried again with a fresh `Work`; any other error, refusals
 * included, rolls back and is the caller's.
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
          // What a moved clock runs is found by its driver, not by the ringer.
          const isDue = (is: boolean, clock: 'storefront' | 'real' = 'storefront') => {
            hasTasks ||= is && !(isMoved && clock === 'storefront')
          }
          const transactionAt = (now: Date): Transaction => {
            const emit = async (events: readonly Event[], after: string | null) => {
              // An event is of the moment at which its change is certain: the transaction may have waited for a lock.
              if (!isMoved) eventsAt ??= await clockNow(sql, context)
              const published = await publish(sql, tenant, eventsAt ?? now, events, after)
              isDue(published.deliveries > 0)
              return published.cause
            }
            const laterEach: Transaction['enqueueAll'] = async (task, tasks) => {
              // What is due later is found by the ringer's next look; the poke is for what is due now.
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
                await emit(events, null)
              },
              enqueue: (task, at) => laterEach(task, [at]),
              enqueueAll: laterEach,
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

/** Where a moved clock runs many tasks together: the moment of the last. */
function lastMomentOfBatch({ claim }: RequestContext): Date | null {
  if (!claim || 'taskId' in claim) return null
  const moments = claim.flatMap(({ moment }) => moment?.at.getTime() ?? [])
  return moments.length > 0 ? new Date(Math.max(...moments)) : null
}

async function completeClaim(
  sql: Sql,
  tenant: Tenant,
  ringing: TaskClaim | readonly TaskClaim[],
  result: unknown,
): Promise<void> {
  const claims = 'taskId' in ringing ? [ringing] : ringing
  const [only] = claims
  const mine =
    result instanceof Reschedule && only
      ? await rescheduleTask(sql, tenant, only, result.dueAt)
      : await completeTasks(sql, claims)
  if (!mine) throw new StaleClaim()
}

/** A newer ringing of the same task has taken over: this one must leave no trace. */
export class StaleClaim extends Error {
  constructor() {
    super('this ringing of the task was overtaken by a newer one')
  }
}

function isConflict(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    // A unique row that another transaction made first: the next attempt sees it and decides anew.
    if (error.code === 'P2034' || error.code === 'P2002') return true
    if (error.code === 'P2010') return /Code: `(?:40001|40P01|23505)`|deadlock|could not serialize/.test(error.message)
  }
  const cause = (error as { cause?: { kind?: string } } | null)?.cause
  return cause?.kind === 'TransactionWriteConflict'
}
