import type { WorkPage } from '../../modules/invariants/page.ts'
import { newestCheck } from '../../modules/invariants/store.ts'
import { staffOf } from '../../modules/operators/hosted.ts'
import { newest } from '../../modules/reconciliations/store.ts'
import { db } from '../../platform/db/db.ts'
import { dueByQueue, failingTasks } from '../../platform/jobs/due-tasks.ts'
import { taskServerState } from '../../platform/jobs/inngest-runner.ts'
import { queues } from '../../platform/jobs/tasks.ts'

const mostShown = 100

/** What waits, what fails and how late it is, and whether the invariants hold. For the service's own staff. */
export async function workPage(cookies: string | null): Promise<WorkPage | null> {
  if (!(await staffOf(cookies))) return null
  const [due, failing, check] = [await dueByQueue(), await failingTasks(mostShown), await newestCheck(db())]
  return {
    queues: queues.map((name) => ({ name, due: due.get(name)?.count ?? 0, lateSeconds: due.get(name)?.lag ?? 0 })),
    inngest: taskServerState(),
    failing: failing.map(({ id, name, storefrontId, testmode, attempts, lastError, runAt }) => ({
      ...{ id, name, attempts, lastError, runAt: runAt.toISOString() },
      // A task of the whole installation belongs to no storefront.
      storefrontUrl: storefrontId === '' ? null : `/admin/${testmode ? 'test' : 'live'}/${storefrontId}`,
    })),
    check: check && {
      finishedAt: check.finishedAt.toISOString(),
      broken: Object.entries(check.broken).map(([name, ids]) => ({ name, ids })),
    },
    reconciliations: (await newest(db())).map(({ finishedAt, settlements, ...each }) => ({
      ...each,
      settlements: settlements?.length ?? 0,
      finishedAt: finishedAt.toISOString(),
    })),
  }
}
