import { startWorker } from '../lib/platform/jobs/worker.ts'
import { startHousekeeping } from '../lib/server/housekeeping.ts'
import { tasks } from '../lib/server/jobs.ts'

startWorker(tasks.runner, tasks.embedded)
startHousekeeping()
