import { job } from '../platform/tasks.ts'
import { stepDue } from './operations.ts'
import { recoveryStep } from './tasks.ts'

export const recoveryJobs = [job(recoveryStep, stepDue)]
