import { newId } from '../crypto/identity.ts'
import { db } from '../db/db.ts'
import { fragment, rawFragment } from '../db/fragment.ts'
import { leaseMs } from './leases.ts'
import { isDueOnStoppedClock } from './streams.ts'
import type { ClaimedTask } from './task-runner.ts'
import { dispatchQueue, dispatchTasks, queueOfTask, type TaskClaim } from './tasks.ts'

export interface AdvanceResult {
  readonly ran: number
  /**
   * The number of due tasks left to the worker. These tasks failed, did not run within the time limit, or were created
   * by requests during the advance.
   */
  readonly remaining: number
}

export interface DueTask {
  readonly id: string
  readonly name: string
  readonly due_at: Date
  readonly claim_version: number
  readonly beside: boolean
  readonly leased: boolean
}

interface Sought {
  readonly storefrontId: string
  readonly leftOut: readonly string[]
  readonly withBeside: boolean
  readonly most: number
}

// The conditions are literals, so that PostgreSQL can use the partial indexes.
const isDelivery = () => rawFragment(`clock = 'storefront' AND name IN (${deliveryTasks()})`)
const isWork = () => rawFragment(`clock = 'storefront' AND name NOT IN (${deliveryTasks()})`)
const deliveryTasks = () =>
  [...queueOfTask]
    .flatMap(([name, queue]) => (queue === 'webhooks' && !dispatchTasks.has(name) ? [`'${name}'`] : []))
    .join(', ')
const isStreamed = rawFragment(`clock = 'storefront' AND stream IS NOT NULL`)
const isLeased = fragment`(leased_until IS NOT NULL AND leased_until > clock_timestamp())`

export async function dueWork({ storefrontId, leftOut, withBeside, most }: Sought): Promise<DueTask[]> {
  return db().$queryRaw<DueTask[]>`
    SELECT id, name, due_at, claim_version, beside, ${isLeased} AS leased FROM tasks
    WHERE storefront_id = ${storefrontId} AND ${isWork()} AND id <> ALL(${leftOut}) AND (${withBeside} OR NOT beside)
      AND due_at <= (SELECT advancing_to FROM clocks WHERE storefront_id = ${storefrontId})
    ORDER BY due_at, id LIMIT ${most}::int`
}

export interface SoughtStreams {
  readonly storefrontId: string
  /** Streams and tasks that the clock advance has abandoned, or that wait for other tasks. */
  readonly leftOut: readonly string[]
  readonly withBeside: boolean
}

/**
 * Returns the streams of the storefront that have due tasks. Costs one index look-up for each stream of the storefront.
 */
export async function dueStreamsOf({ storefrontId, leftOut, withBeside }: SoughtStreams): Promise<string[]> {
  const rows = await db().$queryRaw<{ stream: string }[]>`
    WITH RECURSIVE each AS (
      (SELECT stream FROM tasks WHERE storefront_id = ${storefrontId} AND ${isStreamed} ORDER BY stream LIMIT 1)
      UNION ALL
      SELECT next.stream FROM each CROSS JOIN LATERAL (
        SELECT stream FROM tasks WHERE storefront_id = ${storefrontId} AND ${isStreamed} AND stream > each.stream
        ORDER BY stream LIMIT 1) AS next)
    SELECT stream FROM each WHERE stream <> ALL(${leftOut}) AND EXISTS (
      SELECT 1 FROM tasks WHERE storefront_id = ${storefrontId} AND ${isStreamed} AND stream = each.stream
        AND ${isDueOnStoppedClock(storefrontId)} AND (${withBeside} OR NOT beside))`
  return rows.map(({ stream }) => stream)
}

/** The current time of the clock, and the next later time (up to the target) at which a task of a stream is due. */
export async function nextOfStreams(storefrontId: string) {
  const [row] = await db().$queryRaw<{ shown: Date | null; next: Date | null }[]>`
    SELECT frozen_at AS shown, (
      SELECT min(due_at) FROM tasks WHERE storefront_id = ${storefrontId} AND ${isDelivery()}
        AND due_at >= frozen_at + interval '1 second' AND due_at <= advancing_to) AS next
    FROM clocks WHERE storefront_id = ${storefrontId}`
  return row ?? { shown: null, next: null }
}

export async function areOwnStreamsDue(storefrontId: string, givenUp: readonly string[]): Promise<boolean> {
  const [row] = await db().$queryRaw<{ due: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM tasks WHERE storefront_id = ${storefrontId} AND ${isDelivery()} AND NOT beside AND stream <> ALL(${givenUp})
        AND due_at < (SELECT frozen_at + interval '1 second' FROM clocks WHERE storefront_id = ${storefrontId})) AS due`
  return row?.due ?? false
}

/**
 * Claims the dispatch tasks of streams for a runner, and replaces earlier claims. Claims nothing if another runner has
 * taken over the advance of the test clock.
 */
export async function claimDispatches(
  storefrontId: string,
  runnerId: string,
  streams: readonly string[],
): Promise<(ClaimedTask & { stream: string })[]> {
  const [dispatch] = dispatchTasks
  if (dispatch === undefined || streams.length === 0) return []
  const now = new Date()
  const rows = JSON.stringify(streams.toSorted().map((stream) => ({ id: newId('task_', now), stream })))
  return db().$queryRaw<(ClaimedTask & { stream: string })[]>`
    INSERT INTO tasks (id, name, key, queue, storefront_id, testmode, clock, data, due_at, run_at, leased_until, claim_version,
      attempts, created_at, beside)
    SELECT id, ${dispatch}, stream, ${dispatchQueue}, ${storefrontId}, true, 'real', jsonb_build_object('stream', stream),
      clock_timestamp(), clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      clock_timestamp() + ${leaseMs}::int * interval '1 millisecond', 1, 1, clock_timestamp(), false
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, stream text)
    WHERE EXISTS (SELECT 1 FROM clocks WHERE storefront_id = ${storefrontId} AND runner_id = ${runnerId})
    ON CONFLICT (name, key) DO UPDATE SET claim_version = tasks.claim_version + 1, attempts = tasks.attempts + 1,
      run_at = EXCLUDED.run_at, leased_until = EXCLUDED.leased_until, handed_over_at = NULL
    RETURNING id AS "taskId", claim_version AS "claimVersion", name, key AS stream`
}

export async function areStreamsLeased(storefrontId: string): Promise<boolean> {
  const [row] = await db().$queryRaw<{ leased: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM tasks WHERE storefront_id = ${storefrontId} AND ${isDelivery()} AND NOT beside AND ${isLeased}
        AND due_at < (SELECT frozen_at + interval '1 second' FROM clocks WHERE storefront_id = ${storefrontId})) AS leased`
  return row?.leased ?? false
}

export const hurryStreams = (storefrontId: string): Promise<number> =>
  db().$executeRaw`
    UPDATE tasks SET run_at = date_trunc('milliseconds', clock_timestamp())
    WHERE storefront_id = ${storefrontId} AND ${isDelivery()} AND attempts > 0 AND leased_until IS NULL AND run_at > clock_timestamp()
      AND due_at < (SELECT frozen_at + interval '1 second' FROM clocks WHERE storefront_id = ${storefrontId})`

export async function countDue(storefrontId: string): Promise<number> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM tasks JOIN clocks USING (storefront_id)
    WHERE storefront_id = ${storefrontId} AND clock = 'storefront' AND due_at <= advancing_to`
  return row?.count ?? 0
}

/**
 * Claims tasks, and returns the claims in the order of `tasks`. Skips a task that was claimed again after `tasks` was read. Claims nothing if another runner
 * has taken over the advance of the test clock.
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

export async function releaseTasks(claims: readonly TaskClaim[]): Promise<void> {
  const rows = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  await db().$executeRaw`
    UPDATE tasks SET leased_until = NULL, attempts = attempts - 1
    FROM jsonb_to_recordset(${rows}::jsonb) AS row (id text, claim_version int)
    WHERE tasks.id = row.id COLLATE "C" AND tasks.claim_version = row.claim_version`
}

/**
 * A task is done if its row is deleted, replaced, or rescheduled. An unchanged row means that the task failed or waits.
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
