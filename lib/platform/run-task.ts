import { db } from './db.ts'
import { log } from './log.ts'
import type { Job, Ringing } from './tasks.ts'
import { Fenced } from './transact.ts'

const backoffMs = (attempts: number) => Math.min(1000 * 2 ** Math.min(attempts, 10), 5 * 60_000)

/**
 * Runs the operation of one rung task. A ringing that was overtaken does nothing. An operation that throws leaves the
 * task, with the error, to be rung again after 2 s, 4 s, ... 5 min; it is not lost and not hidden. Answers whether it ran.
 */
export async function runTask(jobs: ReadonlyMap<string, Job>, ringing: Ringing): Promise<boolean> {
  const row = await db().tasks.findFirst({ where: { id: ringing.taskId, generation: ringing.generation } })
  if (!row) return false
  const job = jobs.get(row.name)
  const scope = { storefrontId: row.storefront_id, testmode: row.testmode, ringing }
  try {
    if (!job) throw new Error(`no job does ${row.name}`)
    await job.run(scope, row.data)
    return true
  } catch (error) {
    if (error instanceof Fenced) return false
    const message = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown error'
    log.error({ task: row.name, taskId: row.id, attempts: row.attempts, error: message }, 'task failed')
    await db().$executeRaw`
      UPDATE tasks SET last_error = ${message}, leased_until = NULL,
        ring_at = clock_timestamp() + ${backoffMs(row.attempts)}::int * interval '1 millisecond'
      WHERE id = ${ringing.taskId} AND generation = ${ringing.generation}`
    return false
  }
}
