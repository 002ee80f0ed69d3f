import { job } from '../platform/tasks.ts'
import { runDueStep } from './operations.ts'
import { recoveryStep } from './tasks.ts'

export const recoveryJobs = [job(recoveryStep, runDueStep)]
