import { job } from '../../platform/jobs/tasks.ts'
import { recordPasswordLockOf } from './log-in.ts'
import { recordPasswordLock } from './tasks.ts'

export const operatorJobs = [job(recordPasswordLock, recordPasswordLockOf)]
