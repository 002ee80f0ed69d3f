import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { Scope, TaskMoment } from './clock.ts'
import type { Sql } from './db.ts'
import { newId } from './identity.ts'

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
  readonly joins: boolean
  /**
   * Whether those of one moment may be done in any order, so that a moved clock runs them side by side. Not for what takes the
   * next number of a series, or money of a balance: there the order shows, and they would wait for each other anyway.
   */
  readonly sideBySide: boolean
}

/** Where tasks wait: those that wait for other people's servers have lanes of their own, and never take the places of our work. */
export const lanes = ['work', 'webhooks', 'mail'] as const
export type Lane = (typeof lanes)[number]

/** The kinds of tasks that are not `work`, by their lane. */
export const kindsInLanes = new Map<string, Exclude<Lane, 'work'>>()

/** The kinds of which a moved clock runs those of one moment side by side. */
export const kindsSideBySide = new Set<string>()

export const task = <Data>(
  name: string,
  data: z.ZodType<Data>,
  {
    clock = 'storefront',
    lane = 'work',
    joins = false,
    sideBySide = false,
  }: Partial<Pick<Task<Data>, 'clock' | 'joins' | 'sideBySide'>> & { lane?: Lane } = {},
): Task<Data> => {
  if (lane !== 'work') kindsInLanes.set(name, lane)
  if (sideBySide) kindsSideBySide.add(name)
  return { name, data, clock, joins, sideBySide }
}

/** What one ringing of a task is known by: only the newest generation may take the row away. */
export interface Ringing {
  readonly taskId: string
  readonly generation: number
  /** Where a moved clock runs it. */
  readonly moment?: TaskMoment | undefined
}

/** A scope in which a task runs. `transact` takes the task's row away together with the operation's changes. */
export interface TaskScope extends Scope {
  readonly ringing: Ringing
}

/** What an operation returns to keep its task for a later moment (on the task's clock) instead of ending it. */
export class Again {
  constructor(readonly dueAt: Date) {}
}

export interface Job {
  readonly name: string
  run(scope: TaskScope, data: unknown): Promise<void>
  /**
   * Does many tasks of a scope in one go, as far as they are plain. Answers those that are done; the others, and all of them
   * when it throws, are run one by one. Where a moved clock runs them, each is done at its own moment, in their order, and
   * none after the first that is not plain (see `plainOnes`).
   */
  readonly together?: (scope: Scope, tasks: readonly TogetherTask<unknown>[]) => Promise<readonly Ringing[]>
}

export interface TogetherTask<Data> {
  readonly ringing: Ringing
  readonly data: Data
}

/** The tasks that are plain; of those that a moved clock runs, the ones before the first that is not. */
export function plainOnes<One extends TogetherTask<unknown>>(
  tasks: readonly One[],
  isPlain: (task: One) => boolean,
): One[] {
  if (!tasks[0]?.ringing.moment) return tasks.filter(isPlain)
  const end = tasks.findIndex((task) => !isPlain(task))
  return tasks.slice(0, end === -1 ? undefined : end)
}

/** Binds a task to the one operation that does it. */
export const job = <Data>(
  task: Task<Data>,
  operation: (scope: TaskScope, data: Data) => Promise<unknown>,
  together?: (scope: Scope, tasks: readonly TogetherTask<Data>[]) => Promise<readonly Ringing[]>,
): Job => ({
  name: task.name,
  run: async (scope, data) => {
    await operation(scope, task.data.parse(data))
  },
  ...(together && {
    together: (scope, tasks) =>
      together(
        scope,
        tasks.map(({ ringing, data }) => ({ ringing, data: task.data.parse(data) })),
      ),
  }),
})

/**
 * Writes tasks of a kind. `key` names one within its kind: a second one with the same key replaces the first, whose running is
 * fenced off by the new generation, unless it `joins` that. `dueAt` is a moment of the task's clock; `ring_at` is the same moment in real time.
 */
export async function putTasks<Data>(
  sql: Sql,
  scope: Scope,
  now: Date,
  task: Task<Data>,
  tasks: readonly { key: string; data: Data; dueAt: Date }[],
): Promise<void> {
  if (tasks.length === 0) return
  const clock = clockOf(task, scope)
  const rows = tasks.map(({ key, data, dueAt }) => ({
    id: newId('task_', now),
    key,
    data: task.data.parse(data),
    due_at: dueAt,
  }))
  await sql.$executeRaw`
    INSERT INTO tasks (id, name, key, storefront_id, testmode, clock, data, due_at, ring_at, created_at, beside)
    SELECT id, ${task.name}, key, ${scope.storefrontId}, ${scope.testmode}, ${clock}, data, due_at,
      due_at - ${aheadOf(clock, scope)}, clock_timestamp(), ${besideOf(scope)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id text, key text, data jsonb, due_at timestamptz)
    ON CONFLICT (name, key) DO UPDATE SET data = EXCLUDED.data, due_at = EXCLUDED.due_at, ring_at = EXCLUDED.ring_at,
      leased_until = NULL, generation = tasks.generation + 1, attempts = 0, last_error = NULL,
      beside = tasks.beside AND EXCLUDED.beside
      WHERE NOT (${task.joins} AND coalesce(tasks.leased_until > clock_timestamp(), false))`
}

/** Takes the rows of finished ringings away. False when a newer ringing has taken one over: then nothing may be committed. */
export async function takeTasks(sql: Sql, ringings: readonly Ringing[]): Promise<boolean> {
  const rows = JSON.stringify(ringings.map(({ taskId, generation }) => ({ id: taskId, generation })))
  const taken = await sql.$executeRaw`
    DELETE FROM tasks USING jsonb_to_recordset(${rows}::jsonb) AS row (id text, generation int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.generation = row.generation`
  return taken === ringings.length
}

/** Keeps the task for a later moment of its clock. False when a newer ringing has taken over. */
export async function keepTask(sql: Sql, scope: Scope, { taskId, generation }: Ringing, dueAt: Date): Promise<boolean> {
  const rows = await sql.$executeRaw`
    UPDATE tasks SET due_at = ${dueAt}::timestamptz, leased_until = NULL, attempts = 0, last_error = NULL,
      ring_at = ${dueAt}::timestamptz - CASE clock WHEN 'storefront' THEN ${aheadOf('storefront', scope)} ELSE interval '0' END
    WHERE id = ${taskId} AND generation = ${generation}`
  return rows === 1
}

/**
 * Keeps the bell silent until `ringNow`, or for `ms`; each time in a row for twice as long, up to `mostMs`, so that many
 * tasks that wait cost little. Does nothing when a newer ringing has taken over.
 */
export async function muteTask(
  sql: Sql,
  { taskId, generation }: Ringing,
  { ms, mostMs }: { ms: number; mostMs: number },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET leased_until = NULL, last_error = NULL, ring_at = clock_timestamp()
      + least(${ms}::int * power(2, least(attempts - 1, 20)), ${mostMs}::int) * interval '1 millisecond'
    WHERE id = ${taskId} AND generation = ${generation}`
}

/** Leaves a task whose running failed to be rung again, with the error: after 2 s, 4 s, ... 5 min. */
export async function failTask(sql: Sql, { taskId, generation }: Ringing, error: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET last_error = ${error}, leased_until = NULL,
      ring_at = clock_timestamp() + least(1000 * power(2, least(attempts, 20)), 300000) * interval '1 millisecond'
    WHERE id = ${taskId} AND generation = ${generation}`
}

/** Rings a waiting task at once, whatever it waits for. One that is being run is left alone. */
export async function ringNow(sql: Sql, name: string, key: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE tasks SET ring_at = clock_timestamp() WHERE name = ${name} AND key = ${key} AND leased_until IS NULL`
}

const clockOf = (task: { clock: 'storefront' | 'real' }, scope: Scope) =>
  task.clock === 'storefront' && scope.testmode ? 'storefront' : 'real'

const aheadOf = (clock: 'storefront' | 'real', { storefrontId }: Scope) =>
  clock === 'storefront'
    ? Prisma.sql`(SELECT ahead_seconds FROM clocks WHERE storefront_id = ${storefrontId}) * interval '1 second'`
    : Prisma.sql`interval '0'`

/** What a task puts is as it is itself; what no task puts is beside the move of the clock, if it is being moved. */
function besideOf({ storefrontId, testmode, beside }: Scope) {
  if (beside !== undefined || !testmode) return Prisma.sql`${beside ?? false}::boolean`
  return Prisma.sql`EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND advancing_to IS NOT NULL)`
}
