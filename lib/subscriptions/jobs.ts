import { job } from '../platform/tasks.ts'
import { endPeriod, runCharge } from './renewal-operations.ts'
import { charge, periodEnd } from './tasks.ts'
import { chargeBatch, renewBatch } from './together.ts'

export const subscriptionJobs = [job(periodEnd, endPeriod, renewBatch), job(charge, runCharge, chargeBatch)]
