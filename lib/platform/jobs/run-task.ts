import type { Tenant } from '../clock/clock.ts'
import { db } from '../db/db.ts'
import { log } from '../log.ts'
import { shortError } from '../short-error.ts'
import { traced } from '../tracing.ts'
import { failpoint } from './failpoint.ts'
import { spanOfTasks } from './task-span.ts'
import { type BatchedTask, failTask, type Job, type TaskClaim } from './tasks.ts'
import { BatchChanged, StaleClaim } from './transact.ts'

/**
 * Runs tasks in batches. A task that no batch has completed then runs alone. Exception: a task of a clock advance waits, because the
 * advance decides the order of its tasks.
 */
export async function runBatch(jobs: ReadonlyMap<string, Job>, claims: readonly TaskClaim[]): Promise<void> {
  const rest = new Map(claims.map((claim) => [claim.taskId, claim]))
  for (const { job, tenant, tasks, rows } of await batchesOf(jobs, claims)) {
    try {
      const done = await traced(`task ${job.name}`, spanOfTasks(rows), () => job.run(tenant, tasks))
      for (const { taskId } of done) rest.delete(taskId)
    } catch (error) {
      // The batch was rolled back. Its tasks therefore run one by one, so that only the task that fails is not
      // completed.
      const isExpected = error instanceof StaleClaim || error instanceof BatchChanged
      if (!isExpected) log.warn({ error: shortError(error) }, 'a batch of tasks failed and its tasks run one by one')
    }
  }
  const left = [...rest.values()].filter(({ moment }) => !moment)
  await Promise.all(left.map((claim) => runTask(jobs, claim)))
}

async function batchesOf(jobs: ReadonlyMap<string, Job>, claims: readonly TaskClaim[]) {
  const rows = await db().tasks.findMany({ where: { id: { in: claims.map(({ taskId }) => taskId) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const groups = new Map<string, { job: Job; tenant: Tenant; tasks: BatchedTask<unknown>[]; rows: typeof rows }>()
  for (const { taskId, claimVersion, moment } of claims) {
    const row = byId.get(taskId)
    const job = row && jobs.get(row.name)
    if (!row || !job?.isBatched || row.claim_version !== claimVersion) continue
    const { name, storefront_id: storefrontId, testmode, beside, data } = row
    const key = `${name} ${storefrontId} ${testmode} ${beside}`
    const group = groups.get(key) ?? { job, tenant: { storefrontId, testmode, beside }, tasks: [], rows: [] }
    group.tasks.push({ claim: { taskId, claimVersion, ...(moment && { moment }) }, data })
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()].filter(({ tasks }) => tasks.length > 1)
}

/**
 * Runs one claimed task, unless a newer claim exists. If the operation throws, stores the error and schedules a retry
 * after 2 s, 4 s, ... 5 min. Returns whether the operation succeeded.
 */
export async function runTask(jobs: ReadonlyMap<string, Job>, claim: TaskClaim): Promise<boolean> {
  const row = await db().tasks.findFirst({ where: { id: claim.taskId, claim_version: claim.claimVersion } })
  if (!row) return false
  const job = jobs.get(row.name)
  const { storefront_id: storefrontId, testmode, beside } = row
  const { moment } = claim
  const tenant = { storefrontId, testmode, beside, ...(moment && { moment }) }
  return traced(`task ${job?.name ?? 'unknown'}`, spanOfTasks([row]), async (span) => {
    try {
      if (!job) throw new Error(`no job does ${row.name}`)
      failpoint('task.begun')
      const [done] = await job.run(tenant, [{ claim, data: row.data }])
      if (!done) throw new Error(`the job of ${row.name} did not complete its only task`)
      return true
    } catch (error) {
      if (error instanceof StaleClaim) return false
      span.fail('task_failed')
      const message = shortError(error)
      log.error({ task: row.name, taskId: row.id, attempts: row.attempts, error: message }, 'task failed')
      await failTask(db(), claim, message)
      return false
    }
  })
}
