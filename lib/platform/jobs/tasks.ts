import type { z } from 'zod'
import { Prisma } from '../../../prisma/client/client.ts'
import type { TaskMoment, Tenant } from '../clock/clock.ts'
import { newId } from '../crypto/identity.ts'
import type { Sql } from '../db/db.ts'

/**
 * What happens later. A task is a row of the one `tasks` table: written in the transaction that wants it, taken away in
 * the transaction of the operation that does it. Whatever runs it (this process, another one, an Inngest server) is only
 * a bell; a row that is not taken away is rung again.
 */
export interface Task<Data> {
  readonly name: string
  readonly data: z.ZodType<Data>
  /** `real` for the delays of the machinery, which a moved test clock leaves alone. */
  readonly clock: 'storefront' | 'real'
  /**
   * Whether a second one joins a first that is being run, instead of replacing it. For what begins with a lock that whoever
   * writes the task holds: the first has not looked yet.
   */
  readonly coalesce: boolean
  /**
   * Whether those of one moment may be done in any order, so that a moved clock runs them side by side. Not for what takes the
   * next number of a series, or money of a balance: there the order shows, and they would wait for each other anyway.
   */
  readonly concurrent: boolean
}

/** Where tasks wait: those that wait for other people's servers have queues of their own, and never take the places of our work. */
export const queues = ['work', 'webhooks', 'email'] as const
export type Queue = (typeof queues)[number]

/** The kinds of tasks that are not `work`, by their queue. */
export const queueOfTask = new Map<string, Exclude<Queue, 'work'>>()

/** The kinds of which a moved clock runs those of one moment side by side. */
export const concurrentTasks = new Set<string>()

export const task = <Data>(
  name: string,
  data: z.ZodType<Data>,
  {
    clock = 'storefront',
    queue = 'work',
    coalesce = false,
    concurrent = false,
  }: Partial<Pick<Task<Data>, 'clock' | 'coalesce' | 'concurrent'>> & { queue?: Queue } = {},
): Task<Data> => {
  if (queue !== 'work') queueOfTask.set(name, queue)
  if (concurrent) concurrentTasks.add(name)
  return { name, data, clock, coalesce, concurrent }
}

/** What one ringing of a task is known by: only the newest claim may take the row away. */
export interface TaskClaim {
  readonly taskId: string
  readonly claimVersion: number
  /** Where a moved clock runs it. */
  readonly moment?: TaskMoment | undefined
}

/** A scope in which a task runs. `transact` takes the task's row away together with the operation's changes. */
export interface TaskContext extends Tenant {
  readonly claim: TaskClaim
}

/** What an operation returns to keep its task for a later moment (on the task's clock) instead of ending it. */
export class Reschedule {
  constructor(readonly dueAt: Date) {}
}

export interface Job {
  readonly name: string
  run(tenant: TaskContext, data: unknown): Promise<void>
  /**
   * Does many tasks of a scope in one go, as far as they are plain. Answers those that are done; the others, and all of them
   * when it throws, are run one by one. Where a moved clock runs them, each is done at its own moment, in their order, and
   * none after the first that is not plain (see `plainOnes`).
   */
  readonly batch?: (tenant: Tenant, tasks: readonly BatchedTask<unknown>[]) => Promise<readonly TaskClaim[]>
}

export interface BatchedTask<Data> {
  readonly claim: TaskClaim
  readonly data: Data
}

/** The tasks that are plain; of those that a moved clock runs, the ones before the first that is not. */
export function batchable<One extends BatchedTask<unknown>>(
  tasks: readonly One[],
  isPlain: (task: One) => boolean,
): One[] {
  if (!tasks[0]?.claim.moment) return tasks.filter(isPlain)
  const end = tasks.findIndex((task) => !isPlain(task))
  return tasks.slice(0, end === -1 ? undefined : end)
}

/** Binds a task to the one operation that does it. */
export const job = <Data>(
  task: Task<Data>,
  operation: (tenant: TaskContext, data: Data) => Promise<unknown>,
  together?: (tenant: Tenant, tasks: readonly BatchedTask<Data>[]) => Promise<readonly TaskClaim[]>,
): Job => ({
  name: task.name,
  run: async (tenant, data) => {
    await operation(tenant, task.data.parse(data))
  },
  ...(together && {
    batch: (tenant, tasks) =>
      together(
        tenant,
        tasks.map(({ claim, data }) => ({ claim, data: task.data.parse(data) })),
      ),
  }),
})

/**
 * Writes tasks of a kind. `key` names one within its kind: a second one with the same key replaces the first, whose running is
 * fenced off by the new claim version, unless the task type coalesces. `dueAt` is a moment of the task's clock; `run_at` is the same moment in real time.
 */
export async function insertTasks<Data>(
  sql: Sql,
  tenant: Tenant,
  now: Date,
  task: Task<Data>,
  tasks: readonly { key: string; data: Data; dueAt: Date }[],
): Promise<void> {
  if (tasks.length === 0) return
  const clock = clockOf(task, tenant)
  const rows = tasks.map(({ key, data, dueAt }) => ({
    id: newId('task_', now),
    key,
    data: task.data.parse(data),
    due_at: dueAt,
  }))
  await sql.$executeRaw`
    INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, run_at, created_at, beside)
    SELECT id, ${task.name}, key, ${tenant.storefrontId}, ${tenant.testmode}, ${clock}, data, due_at,
      due_at - ${aheadOf(clock, tenant)}, clock_timestamp(), ${besideOf(tenant)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id text, key text, data jsonb, due_at timestamptz)
    ON CONFLICT (name, key) DO UPDATE SET data = EXCLUDED.data, due_at = EXCLUDED.due_at, run_at = EXCLUDED.run_at,
      leased_until = NULL, claim_version = tasks.claim_version + 1, attempts = 0, last_error = NULL,
      beside = tasks.beside AND EXCLUDED.beside
      WHERE NOT (${task.coalesce} AND coalesce(tasks.leased_until > clock_timestamp(), false))`
}

/** Takes the rows of finished ringings away. False when a newer ringing has taken one over: then nothing may be committed. */
export async function completeTasks(sql: Sql, claims: readonly TaskClaim[]): Promise<boolean> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  const taken = await sql.$executeRaw`
    DELETE FROM tasks USING jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
  return taken === claims.length
}

/** Keeps the task for a later moment of its clock. False when a newer ringing has taken over. */
export async function rescheduleTask(
  sql: Sql,
  tenant: Tenant,
  { taskId, claimVersion }: TaskClaim,
  dueAt: Date,
): Promise<boolean> {
  const rows = await sql.$executeRaw`
    UPDATE tasks SET due_at = ${dueAt}::timestamptz, leased_until = NULL, attempts = 0, last_error = NULL,
      run_at = ${dueAt}::timestamptz - CASE clock WHEN 'storefront' THEN ${aheadOf('storefront', tenant)} ELSE interval '0' END
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
  return rows === 1
}

/**
 * Keeps the bell silent until `ringNow`, or for `ms`; each time in a row for twice as long, up to `mostMs`, so that many
 * tasks that wait cost little. Does nothing when a newer ringing has taken over.
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

/** Leaves a task whose running failed to be rung again, with the error: after 2 s, 4 s, ... 5 min. */
export async function failTask(sql: Sql, { taskId, claimVersion }: TaskClaim, error: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET last_error = ${error}, leased_until = NULL,
      run_at = clock_timestamp() + least(1000 * power(2, least(attempts, 20)), 300000) * interval '1 millisecond'
    WHERE id = ${taskId} AND claim_version = ${claimVersion}`
}

/** Rings a waiting task at once, whatever it waits for. One that is being run is left alone. */
export async function runTaskNow(sql: Sql, name: string, key: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET run_at = clock_timestamp() WHERE name = ${name} AND key = ${key} AND leased_until IS NULL`
}

const clockOf = (task: { clock: 'storefront' | 'real' }, tenant: Tenant) =>
  task.clock === 'storefront' && tenant.testmode ? 'storefront' : 'real'

const aheadOf = (clock: 'storefront' | 'real', { storefrontId }: Tenant) =>
  clock === 'storefront'
    ? Prisma.sql`(SELECT ahead_seconds FROM clocks WHERE storefront_id = ${storefrontId}) * interval '1 second'`
    : Prisma.sql`interval '0'`

/** What a task puts is as it is itself; what no task puts is beside the move of the clock, if it is being moved. */
function besideOf({ storefrontId, testmode, beside }: Tenant) {
  if (beside !== undefined || !testmode) return Prisma.sql`${beside ?? false}::boolean`
  return Prisma.sql`EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL)`
}
