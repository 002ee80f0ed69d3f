import type { z } from 'zod'
import type { TaskMoment, Tenant } from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import type { Sql } from '../db/db.ts'
import { type Fragment, fragment } from '../db/fragment.ts'
import { traceContext } from '../tracing.ts'

/**
 * A task is a row of the `tasks` table. The transaction that needs the work inserts the row, and the transaction of the
 * operation that does the work deletes it. A runner only triggers the run: a row that is not deleted is run again.
 */
export interface Task<Data> {
  readonly name: string
  readonly data: z.ZodType<Data>
  /** `real` is for technical delays, which do not follow a test clock. */
  readonly clock: 'storefront' | 'real'
  /**
   * Whether a second task with the same key is dropped while the first is running, instead of replacing it. For
   * operations that begin with a lock that the writer of the task holds: the first run has not read the data yet.
   */
  readonly coalesce: boolean
  /**
   * Whether a clock advance runs tasks of one time concurrently. Not for tasks that take the next number of a series or
   * change a balance: their order is visible.
   */
  readonly concurrent: boolean
}

/** Tasks that wait for external servers have separate queues, so that they never occupy the slots of our own work. */
export const queues = ['work', 'webhooks', 'email'] as const
export type Queue = (typeof queues)[number]

export const queueOfTask = new Map<string, Exclude<Queue, 'work'>>()

/** The queue of a stream's dispatch, which is claimed with its stream and not from a queue. */
export const dispatchQueue = 'dispatch'

export const queueOf = (taskName: string): Queue => queueOfTask.get(taskName) ?? 'work'

/** Tasks with a `stream` are run by the dispatch of their stream, not one by one (see streams.ts). */
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

/** Identifies one run of a task. Only the newest claim may delete the row. */
export interface TaskClaim {
  readonly taskId: string
  readonly claimVersion: number
  /** The time at which a clock advance runs the task. */
  readonly moment?: TaskMoment | undefined
}

/** `transact` deletes the task's row in the transaction of the operation's changes. */
export interface TaskContext extends Tenant {
  readonly claim: TaskClaim
}

/**
 * Postpones the task instead of completing it, on the task's clock or in `real` time: an operation that waits in real
 * time does not know whether its task has become part of a clock advance, during which the clock does not move.
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
   * Runs tasks of one tenant, and returns the claims of the completed ones. The others, or all if the batch throws, are
   * run one by one. For a single task, the result is always its claim. During a clock advance each task is done at its
   * own time and in order, and none after the first that does not qualify (see `batchable`).
   */
  run(tenant: Tenant, tasks: readonly BatchedTask<unknown>[]): Promise<readonly TaskClaim[]>
}

export interface BatchedTask<Data> {
  readonly claim: TaskClaim
  readonly data: Data
}

/** The tasks that qualify for a batch. During a clock advance only those before the first that does not qualify. */
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

/** A task with a `stream` is run by the dispatch of that stream. */
export interface NewTask<Data> {
  readonly key: string
  readonly data: Data
  readonly dueAt: Date
  readonly stream?: string
}

/**
 * `key` is unique within the type: a second task with the same key replaces the first and makes its claim stale, unless
 * the type coalesces. `dueAt` is a time on the task's clock; `run_at` is the same time in real time.
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

/** Deletes the rows of completed tasks, unless a newer claim has taken them over. */
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

/** A real time converted to the clock of the task. On a stopped clock, the time that it shows. */
const onOwnClock = ({ storefrontId }: Tenant, moment: Date): Fragment => fragment`
  CASE clock WHEN 'storefront' THEN (
    SELECT coalesce(frozen_at, ${moment}::timestamptz + ahead_seconds * interval '1 second')
    FROM clocks WHERE storefront_id = ${storefrontId}) ELSE ${moment}::timestamptz END`

/**
 * Delays the next run by `ms`, or until `runTaskNow`. Each consecutive snooze doubles the delay, up to `mostMs`, so
 * that many waiting tasks cost little. Does nothing if a newer claim has taken the task over.
 */
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

/** Records the error of a failed run and schedules a retry after 2 s, 4 s, ... 5 min. */
export async function failTask(sql: Sql, { taskId, claimVersion }: TaskClaim, error: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET last_error = ${error}, leased_until = NULL,
      run_at = clock_timestamp() + least(1000 * power(2, least(attempts, 20)), 300000) * interval '1 millisecond'
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
}

/**
 * Runs a waiting task at once, whatever it waits for. A running task is left alone. The column has milliseconds and is
 * rounded down: a rounded-up time could lie in the future, and the task would not be found.
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

/** Inherited from the task that writes it. A task written outside a task is unrelated to a current advance. */
function besideOf({ storefrontId, testmode, beside }: Tenant) {
  if (beside !== undefined || !testmode) return fragment`${beside ?? false}::boolean`
  return fragment`EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL)`
}
