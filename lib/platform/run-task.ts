import type { Scope } from './clock.ts'
import { db } from './db.ts'
import { failpoint } from './failpoint.ts'
import { log } from './log.ts'
import { shortError } from './short-error.ts'
import { failTask, type Job, type Ringing, type TogetherTask } from './tasks.ts'
import { Fenced } from './transact.ts'

/**
 * Runs tasks of one kind in one go, as far as their job can, and the others one by one. Where a moved clock runs them, the others are
 * left to it: each has its turn.
 */
export async function runTogether(jobs: ReadonlyMap<string, Job>, ringings: readonly Ringing[]): Promise<void> {
  const rest = new Map(ringings.map((ringing) => [ringing.taskId, ringing]))
  for (const { together, scope, tasks } of await groupsOf(jobs, ringings)) {
    try {
      for (const { taskId } of await together(scope, tasks)) rest.delete(taskId)
    } catch (error) {
      // Nothing of it was committed: each for itself shows which one it is.
      if (!(error instanceof Fenced)) log.warn({ error: shortError(error) }, 'tasks are run one by one')
    }
  }
  const left = [...rest.values()].filter(({ moment }) => !moment)
  await Promise.all(left.map((ringing) => runTask(jobs, ringing)))
}

/** What can be run in one go: tasks of one kind in one scope, in the order in which they were rung. */
async function groupsOf(jobs: ReadonlyMap<string, Job>, ringings: readonly Ringing[]) {
  const rows = await db().tasks.findMany({ where: { id: { in: ringings.map(({ taskId }) => taskId) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const groups = new Map<string, { together: Together; scope: Scope; tasks: TogetherTask<unknown>[] }>()
  for (const { taskId, generation, moment } of ringings) {
    const row = byId.get(taskId)
    const together = row && jobs.get(row.name)?.together
    if (!together || row.generation !== generation) continue
    const { name, storefront_id: storefrontId, testmode, beside, data } = row
    const key = `${name} ${storefrontId} ${testmode} ${beside}`
    const group = groups.get(key) ?? { together, scope: { storefrontId, testmode, beside }, tasks: [] }
    group.tasks.push({ ringing: { taskId, generation, ...(moment && { moment }) }, data })
    groups.set(key, group)
  }
  return [...groups.values()].filter(({ tasks }) => tasks.length > 1)
}

type Together = NonNullable<Job['together']>

/**
 * Runs the operation of one rung task. A ringing that was overtaken does nothing. An operation that throws leaves the
 * task, with the error, to be rung again after 2 s, 4 s, ... 5 min; it is not lost and not hidden. Answers whether it ran.
 */
export async function runTask(jobs: ReadonlyMap<string, Job>, ringing: Ringing): Promise<boolean> {
  const row = await db().tasks.findFirst({ where: { id: ringing.taskId, generation: ringing.generation } })
  if (!row) return false
  const job = jobs.get(row.name)
  const { storefront_id: storefrontId, testmode, beside } = row
  const { moment } = ringing
  const scope = { storefrontId, testmode, beside, ringing, ...(moment && { moment }) }
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
