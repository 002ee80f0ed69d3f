import { recoveryStep } from '../../modules/recovery/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { runDueStep } from './operations.ts'

export const recoveryJobs = [job(recoveryStep, runDueStep)]
