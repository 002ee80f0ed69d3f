import { charge, periodEnd } from '../../modules/subscriptions/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { chargeBatch, renewBatch } from './batch.ts'
import { endPeriod, runCharge } from './operations.ts'

export const subscriptionJobs = [job(periodEnd, endPeriod, renewBatch), job(charge, runCharge, chargeBatch)]
