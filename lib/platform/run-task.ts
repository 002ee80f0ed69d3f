import { db } from './db.ts'
import { failpoint } from './failpoint.ts'
import { log } from './log.ts'
import { failTask, type Job, type Ringing, shortError } from './tasks.ts'
import { Fenced } from './transact.ts'

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
    failpoint('task.begun')
    await job.run(scope, row.data)
    return true
  } catch (error) {
    if (error instanceof Fenced) return false
    const message = shortError(error)
    log.error({ task: row.name, taskId: row.id, attempts: row.attempts, error: message }, 'task failed')
    await failTask(db(), ringing, message)
    return false
  }
}
