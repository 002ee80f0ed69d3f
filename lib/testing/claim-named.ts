import { releaseTasks } from '../platform/jobs/advance-tasks.ts'
import { runTask } from '../platform/jobs/run-task.ts'
import type { ClaimedTask } from '../platform/jobs/task-runner.ts'
import { claimDueTasks } from '../platform/jobs/worker.ts'
import { jobs } from '../server/jobs.ts'

const byName = new Map(jobs.map((job) => [job.name, job]))
const claimAll = () => claimDueTasks('work', 100, 90_000)

/** Claims the due task with this name. Releases all other due tasks, because a later advance of the clock would wait until their claims end. */
export async function claimNamed(name: string): Promise<ClaimedTask> {
  const claimed = await claimAll()
  const [task, ...others] = claimed.filter((each) => each.name === name)
  await releaseTasks(claimed.filter((each) => each !== task))
  if (!task || others.length > 0) throw new Error(`not one but ${others.length + (task ? 1 : 0)} tasks ${name} are due`)
  return task
}

/** Runs each due task one time, and then claims the task that asks the provider about a returned debit. */
export async function claimReturn(): Promise<ClaimedTask> {
  for (const task of await claimAll()) await runTask(byName, task)
  return claimNamed('chargeback.sync')
}
