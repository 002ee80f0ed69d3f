import { db } from '../db/db.ts'
import { emptyFragment, type Fragment, fragment, rawFragment } from '../db/fragment.ts'
import { leaseMs } from './leases.ts'
import type { ClaimedTask } from './task-runner.ts'
import { dispatchTasks, queueOfTask, type TaskClaim } from './tasks.ts'

/** The tasks of a clock that is being advanced: finds, claims and releases them, and reads their outcome. */

export interface DueTask {
  readonly id: string
  readonly name: string
  readonly due_at: Date
  readonly claim_version: number
  /** Written during the advance, by a call outside the advance. */
  readonly beside: boolean
  /** Claimed by another runner. */
  readonly leased: boolean
}

interface Sought {
  readonly storefrontId: string
  readonly leftOut: readonly string[]
  /** Whether to include tasks that are unrelated to the advance. */
  readonly withBeside: boolean
  readonly most: number
}

// Inlined as literals, so that PostgreSQL can use the index of each.
const isDelivery = () => rawFragment(`clock = 'storefront' AND name IN (${deliveryTasks()})`)
const isWork = () => rawFragment(`clock = 'storefront' AND name NOT IN (${deliveryTasks()})`)
const deliveryTasks = () =>
  [...queueOfTask]
    .flatMap(([name, queue]) => (queue === 'webhooks' && !dispatchTasks.has(name) ? [`'${name}'`] : []))
    .join(', ')
const isLeased = fragment`(leased_until IS NOT NULL AND leased_until > clock_timestamp())`

/** The work that is due next, in execution order, up to the target of the advance. */
export async function dueWork({ storefrontId, leftOut, withBeside, most }: Sought): Promise<DueTask[]> {
  return db().$queryRaw<DueTask[]>`
    SELECT id, name, due_at, claim_version, beside, ${isLeased} AS leased FROM tasks
    WHERE storefront_id = ${storefrontId} AND ${isWork()} AND id <> ALL(${leftOut}) AND (${withBeside} OR NOT beside)
      AND due_at <= (SELECT advancing_to FROM clocks WHERE storefront_id = ${storefrontId})
    ORDER BY due_at, id LIMIT ${most}::int`
}

/**
 * The deliveries that can be attempted now: due by the time that the clock shows, and either never attempted or past
 * their `run_at`. `silent` includes those that wait for others.
 */
export async function dueDeliveries({ silent, ...sought }: Sought & { silent: boolean }): Promise<DueTask[]> {
  if (silent) return deliveriesWhere(sought, emptyFragment)
  const unasked = await deliveriesWhere(sought, fragment`AND attempts = 0`)
  if (unasked.length === sought.most) return unasked
  const most = sought.most - unasked.length
  return [
    ...unasked,
    ...(await deliveriesWhere({ ...sought, most }, fragment`AND attempts > 0 AND run_at <= clock_timestamp()`)),
  ]
}

function deliveriesWhere({ storefrontId, leftOut, withBeside, most }: Sought, asked: Fragment): Promise<DueTask[]> {
  return db().$queryRaw<DueTask[]>`
    SELECT id, name, due_at, claim_version, beside, false AS leased FROM tasks
    WHERE storefront_id = ${storefrontId} AND ${isDelivery()} AND id <> ALL(${leftOut}) AND (${withBeside} OR NOT beside)
      AND due_at < (SELECT frozen_at + interval '1 second' FROM clocks WHERE storefront_id = ${storefrontId})
      AND NOT ${isLeased} ${asked}
    ORDER BY due_at, id LIMIT ${most}::int`
}

/**
 * The time that the clock shows, and the next later time at which a delivery is due, up to the target of the advance.
 */
export async function nextDelivery(storefrontId: string, leftOut: readonly string[]) {
  const [row] = await db().$queryRaw<{ shown: Date | null; next: Date | null }[]>`
    SELECT frozen_at AS shown, (
      SELECT min(due_at) FROM tasks WHERE storefront_id = ${storefrontId} AND ${isDelivery()} AND id <> ALL(${leftOut})
        AND due_at >= frozen_at + interval '1 second' AND due_at <= advancing_to) AS next
    FROM clocks WHERE storefront_id = ${storefrontId}`
  return row ?? { shown: null, next: null }
}

/** The number of tasks that are due up to the target of the advance. */
export async function countDue(storefrontId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM tasks JOIN clocks USING (storefront_id)
    WHERE storefront_id = ${storefrontId} AND clock = 'storefront' AND due_at <= advancing_to`
  return row?.count ?? 0
}

/**
 * Claims tasks for a runner, in the given order. Skips tasks that others have claimed, and claims none if another
 * runner has taken the advance over.
 */
export async function claimTasks(
  storefrontId: string,
  runnerId: string,
  tasks: readonly DueTask[],
): Promise<ClaimedTask[]> {
  const rows = JSON.stringify(tasks.map(({ id, claim_version }) => ({ id, claim_version })))
  const claimed = await db().$queryRaw<ClaimedTask[]>`
    UPDATE tasks SET claim_version = tasks.claim_version + 1, attempts = attempts + 1,
      run_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond', handed_over_at = NULL
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version
      AND EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND runner_id = ${runnerId})
    RETURNING tasks.id AS "taskId", tasks.claim_version AS "claimVersion", name`
  const byId = new Map(claimed.map((task) => [task.taskId, task]))
  return tasks.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Releases claimed tasks that were not started. */
export async function releaseTasks(claims: readonly TaskClaim[]): Promise<void> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, attempts = attempts - 1
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
}

/**
 * The outcome of claimed tasks that ran. A task is done if its row is gone, replaced or rescheduled. A task with an
 * unchanged row has failed or waits for another task.
 */
export async function endsOf(
  tasks: readonly { due: DueTask; task: ClaimedTask }[],
): Promise<Map<string, 'done' | 'failed' | 'waits'>> {
  const ids = tasks.map(({ due }) => due.id)
  const rows = await db().tasks.findMany({
    where: { id: { in: ids } },
    select: { id: true, claim_version: true, due_at: true, last_error: true },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    tasks.map(({ due, task }) => {
      const row = byId.get(due.id)
      if (row?.claim_version !== task.claimVersion || row.due_at > due.due_at) return [due.id, 'done']
      return [due.id, row.last_error === null ? 'waits' : 'failed']
    }),
  )
}
