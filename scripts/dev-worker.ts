import { startWorker } from '../lib/platform/jobs/worker.ts'
import { startHousekeeping } from '../lib/server/housekeeping.ts'
import { tasks } from '../lib/server/jobs.ts'

/** The worker that `npm run dev` runs next to the pages. */
startWorker(tasks.runner, tasks.embedded)
startHousekeeping()
