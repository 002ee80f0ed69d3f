import { mostCounted } from '../clock/stalled-clocks.ts'
import { db } from '../db/db.ts'
import { fragment, literal } from '../db/fragment.ts'
import { dispatchQueue, type Queue, queueOf, queues } from './tasks.ts'

/** Due tasks by queue, up to `mostCounted`, and the lag of the oldest task in seconds. Excludes tasks of advancing test clocks. */
export async function dueByQueue(): Promise<Map<Queue, { count: number; lag: number }>> {
  const rows = await db().$queryRaw<{ name: string; count: number; lag: number }[]>`
    SELECT name, count(*)::int AS count, round(extract(epoch FROM clock_timestamp() - min(run_at)))::int AS lag FROM (
      ${ofEachQueue()}
      UNION ALL
      (${dueTasks} AND stream IS NOT NULL ORDER BY run_at LIMIT ${mostCounted}::int)
      UNION ALL
      (SELECT name, handed_over_at FROM tasks WHERE handed_over_at IS NOT NULL AND run_at > clock_timestamp()
        ORDER BY handed_over_at LIMIT ${mostCounted}::int)) AS due
    GROUP BY name`
  const byQueue = new Map<Queue, { count: number; lag: number }>()
  for (const { name, count, lag } of rows) {
    const queue = queueOf(name)
    const sofar = byQueue.get(queue) ?? { count: 0, lag: 0 }
    byQueue.set(queue, { count: sofar.count + count, lag: Math.max(sofar.lag, lag) })
  }
  return byQueue
}

export const dueTasks = fragment`
  SELECT name, run_at FROM tasks WHERE run_at <= (SELECT clock_timestamp()) AND NOT (clock = 'storefront' AND EXISTS (
    SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))`

/**
 * Due tasks without a stream, including dispatch tasks. A dispatch task is due only if its process has died, or if the
 * time to which it was postponed has come.
 */
const ofEachQueue = () =>
  [...queues, dispatchQueue]
    .map(
      (queue) =>
        fragment`(${dueTasks} AND stream IS NULL AND queue = ${literal(queue)} ORDER BY run_at LIMIT ${mostCounted}::int)`,
    )
    .reduce((all, one) => fragment`${all} UNION ALL ${one}`)

export interface FailingTask {
  readonly id: string
  readonly name: string
  readonly storefrontId: string
  readonly testmode: boolean
  readonly attempts: number
  readonly lastError: string
  readonly runAt: Date
  readonly createdAt: Date
}

export async function failingTasks(take: number): Promise<FailingTask[]> {
  const rows = await db().tasks.findMany({ where: { last_error: { not: null } }, orderBy: { run_at: 'asc' }, take })
  return rows.map(({ id, name, storefront_id, testmode, attempts, last_error, run_at, created_at }) => ({
    id,
    name,
    storefrontId: storefront_id,
    testmode,
    attempts,
    lastError: last_error ?? '',
    runAt: run_at,
    createdAt: created_at,
  }))
}
