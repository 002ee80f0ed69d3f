import { job } from '../../platform/jobs/tasks.ts'
import { runClosing } from './operations.ts'
import { closeDays } from './tasks.ts'

export const figureJobs = [job(closeDays, runClosing)]
