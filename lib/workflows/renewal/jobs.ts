import { checkLimits, periodEnd } from '../../modules/subscriptions/tasks.ts'
import { batchJob, job } from '../../platform/jobs/tasks.ts'
import { checkRenewalLimits } from './limits.ts'
import { endPeriods } from './operations.ts'

export const renewalJobs = [batchJob(periodEnd, endPeriods), job(checkLimits, checkRenewalLimits)]
