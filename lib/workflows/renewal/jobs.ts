import { periodEnd } from '../../modules/subscriptions/tasks.ts'
import { batchJob } from '../../platform/jobs/tasks.ts'
import { endPeriods } from './operations.ts'

export const renewalJobs = [batchJob(periodEnd, endPeriods)]
