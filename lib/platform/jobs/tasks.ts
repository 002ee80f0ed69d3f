import type { z } from 'zod'
import type { TaskMoment, Tenant } from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import type { Sql } from '../db/db.ts'
import { type Fragment, fragment } from '../db/fragment.ts'
import { traceContext } from '../tracing.ts'

/**
 * A task is a row of the `tasks` table. The transaction that needs the work inserts the row, and the transaction that
 * does the work deletes it. A row that was not deleted runs again.
 */
export interface Task<Data> {
  readonly name: string
  readonly data: z.ZodType<Data>
  /** `real` is for technical delays, which ignore the test clock. */
  readonly clock: 'storefront' | 'real'
  /**
   * If true, a new task is dropped while a task with the same key is running. If false, the new task replaces the
   * running task. Dropping is safe only if the operation begins by waiting for a lock that the inserting transaction
   * holds. The operation then reads the data after that transaction has committed.
   */
  readonly coalesce: boolean
  /**
   * Whether a clock advance may run tasks of the same time concurrently. False for tasks that take the next number of a series or change a balance, because the
   * order of such tasks is visible.
   */
  readonly concurrent: boolean
}

/** Tasks that wait for external servers have separate queues, so that they cannot block our own work. */
export const queues = ['work', 'webhooks', 'email'] as const
export type Queue = (typeof queues)[number]

export const queueOfTask = new Map<string, Exclude<Queue, 'work'>>()

/**
 * The queue of dispatch tasks. Workers do not claim tasks from this queue, but find dispatch tasks through the due
 * streams (see streams.ts).
 */
export const dispatchQueue = 'dispatch'

export const queueOf = (taskName: string): Queue => queueOfTask.get(taskName) ?? 'work'

/**
 * The types of dispatch tasks. A dispatch task runs the tasks of one stream, which have the same value of `stream` (see
 * streams.ts).
 */
export const dispatchTasks = new Set<string>()

export const concurrentTasks = new Set<string>()

export const task = <Data>(
  name: string,
  data: z.ZodType<Data>,
  {
    clock = 'storefront',
    queue = 'work',
    coalesce = false,
    concurrent = false,
    isDispatch = false,
  }: Partial<Pick<Task<Data>, 'clock' | 'coalesce' | 'concurrent'>> & { queue?: Queue; isDispatch?: boolean } = {},
): Task<Data> => {
  if (isDispatch) dispatchTasks.add(name)
  if (queue !== 'work') queueOfTask.set(name, queue)
  if (concurrent) concurrentTasks.add(name)
  return { name, data, clock, coalesce, concurrent }
}

/** Identifies one run of a task. Only the newest claim may complete the task. */
export interface TaskClaim {
  readonly taskId: string
  readonly claimVersion: number
  readonly moment?: TaskMoment | undefined
}

/** A call of `transact` with this context deletes the task's row together with the operation's changes. */
export interface TaskContext extends Tenant {
  readonly claim: TaskClaim
}

/**
 * Postpones the task until `dueAt`, which is a time of the task's own clock or a `real` time. If the task's clock is stopped, a task with a `real` time is
 * due again immediately. An operation that waits for an external event must use `real`: while an advance runs a task, the task's clock is stopped.
 */
export class Reschedule {
  constructor(
    readonly dueAt: Date,
    readonly clock: 'own' | 'real' = 'own',
  ) {}
}

export interface Job {
  readonly name: string
  readonly isBatched: boolean
  /**
   * Runs tasks of one tenant in a batch and returns the claims of the completed tasks. The caller runs the remaining
   * tasks one by one, or all tasks if the batch throws. A batch of one task must complete this task. During a clock
   * advance, tasks run in order, each at its own time. The batch then ends before the first task that does not qualify
   * (see `batchable`).
   */
  run(tenant: Tenant, tasks: readonly BatchedTask<unknown>[]): Promise<readonly TaskClaim[]>
}

export interface BatchedTask<Data> {
  readonly claim: TaskClaim
  readonly data: Data
}

/** Returns the tasks that qualify for a batch. During a clock advance, returns only the tasks before the first task that does not qualify. */
export function batchable<One extends BatchedTask<unknown>>(
  tasks: readonly One[],
  isPlain: (task: One) => boolean,
): One[] {
  if (!tasks[0]?.claim.moment) return tasks.filter(isPlain)
  const end = tasks.findIndex((task) => !isPlain(task))
  return tasks.slice(0, end === -1 ? undefined : end)
}

export const job = <Data>(task: Task<Data>, operation: (tenant: TaskContext, data: Data) => Promise<unknown>): Job => ({
  name: task.name,
  isBatched: false,
  run: async (tenant, tasks) => {
    for (const { claim, data } of tasks) await operation({ ...tenant, claim }, task.data.parse(data))
    return tasks.map(({ claim }) => claim)
  },
})

export const batchJob = <Data>(
  task: Task<Data>,
  operation: (tenant: Tenant, tasks: readonly BatchedTask<Data>[]) => Promise<readonly TaskClaim[]>,
): Job => ({
  name: task.name,
  isBatched: true,
  run: (tenant, tasks) =>
    operation(
      tenant,
      tasks.map(({ claim, data }) => ({ claim, data: task.data.parse(data) })),
    ),
})

export interface NewTask<Data> {
  readonly key: string
  readonly data: Data
  readonly dueAt: Date
  readonly stream?: string
}

/**
 * Inserts tasks. A new task replaces a task of the same type with the same `key`, so that a run of the replaced task can no longer commit. Exception: if the
 * type has `coalesce` and the existing task is running, the new task is dropped. `dueAt` is a time on the task's clock. The column `run_at` has the
 * corresponding real time.
 */
export async function insertTasks<Data>(
  sql: Sql,
  tenant: Tenant,
  now: Date,
  task: Task<Data>,
  tasks: readonly NewTask<Data>[],
): Promise<void> {
  if (tasks.length === 0) return
  const clock = clockOf(task, tenant)
  const rows = tasks.map(({ key, data, dueAt, stream = null }) => ({
    id: newId('task_', now),
    key,
    stream,
    data: task.data.parse(data),
    due_at: dueAt,
  }))
  await sql.$executeRaw`
    INSERT INTO tasks (id, name, key, queue, storefront_id, testmode, clock, data, due_at, run_at, created_at, beside, stream, trace)
    SELECT id, ${task.name}, key, ${queueOf(task.name)}, ${tenant.storefrontId}, ${tenant.testmode}, ${clock}, data, due_at,
      due_at - ${aheadOf(clock, tenant)}, clock_timestamp(), ${besideOf(tenant)}, stream, ${traceContext()}::text
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id text, key text, data jsonb, due_at timestamptz, stream text)
    ON CONFLICT (name, key) DO UPDATE SET data = EXCLUDED.data, due_at = EXCLUDED.due_at, run_at = EXCLUDED.run_at,
      leased_until = NULL, claim_version = tasks.claim_version + 1, attempts = 0, last_error = NULL,
      handed_over_at = NULL, beside = tasks.beside AND EXCLUDED.beside, stream = EXCLUDED.stream, trace = EXCLUDED.trace
      WHERE NOT (${task.coalesce} AND coalesce(tasks.leased_until > clock_timestamp(), false))`
}

export function completion(claims: readonly TaskClaim[]): Fragment {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  return fragment`
    DELETE FROM tasks USING jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
}

export function postponement(
  tenant: Tenant,
  { taskId, claimVersion }: TaskClaim,
  { dueAt, clock }: Reschedule,
): Fragment {
  const ahead = fragment`CASE clock WHEN 'storefront' THEN ${aheadOf('storefront', tenant)} ELSE interval '0' END`
  const due = clock === 'own' ? fragment`${dueAt}::timestamptz` : fragment`(${onOwnClock(tenant, dueAt)})`
  return fragment`
    UPDATE tasks SET due_at = ${due}, leased_until = NULL, attempts = 0, last_error = NULL, run_at = ${due} - ${ahead}
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
}

/** SQL that converts a real time to the task's clock. On a stopped clock, the result is the time of the clock. */
const onOwnClock = ({ storefrontId }: Tenant, moment: Date): Fragment => fragment`
  CASE clock WHEN 'storefront' THEN (
    SELECT coalesce(frozen_at, ${moment}::timestamptz + ahead_seconds * interval '1 second')
    FROM clocks WHERE storefront_id = ${storefrontId}) ELSE ${moment}::timestamptz END`

/** Delays the next run by `ms`, or until `runTaskNow`. Each consecutive snooze doubles the delay, up to `mostMs`. Does nothing if the claim is stale. */
export async function snoozeTask(
  sql: Sql,
  { taskId, claimVersion }: TaskClaim,
  { ms, mostMs }: { ms: number; mostMs: number },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET leased_until = NULL, last_error = NULL, run_at = clock_timestamp()
      + least(${ms}::int * power(2, least(attempts - 1, 20)), ${mostMs}::int) * interval '1 millisecond'
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
}

export async function failTask(sql: Sql, { taskId, claimVersion }: TaskClaim, error: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET last_error = ${error}, leased_until = NULL,
      run_at = clock_timestamp() + least(1000 * power(2, least(attempts, 20)), 300000) * interval '1 millisecond'
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
}

/**
 * Makes a waiting task due now. Does not affect a running task. The time is rounded down to milliseconds, because a
 * rounded-up time could lie in the future.
 */
export async function runTaskNow(sql: Sql, name: string, key: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp()) WHERE name = ${name} AND key = ${key} AND leased_until IS NULL`
}

const clockOf = (task: { clock: 'storefront' | 'real' }, tenant: Tenant) =>
  task.clock === 'storefront' && tenant.testmode ? 'storefront' : 'real'

export const aheadOf = (clock: 'storefront' | 'real', { storefrontId }: Tenant) =>
  clock === 'storefront'
    ? fragment`(SELECT ahead_seconds FROM clocks WHERE storefront_id = ${storefrontId}) * interval '1 second'`
    : fragment`interval '0'`

/**
 * Whether a new task is outside the current advance (`beside`). A task enqueued by another task inherits `beside` from that task. A task enqueued by a request
 * during an advance is outside the advance.
 */
function besideOf({ storefrontId, testmode, beside }: Tenant) {
  if (beside !== undefined || !testmode) return fragment`${beside ?? false}::boolean`
  return fragment`EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL)`
}
