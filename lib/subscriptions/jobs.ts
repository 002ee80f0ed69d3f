import { job } from '../platform/tasks.ts'
import { endOfPeriod, runCharge } from './operations.ts'
import { charge, periodEnd } from './tasks.ts'

export const subscriptionJobs = [job(periodEnd, endOfPeriod), job(charge, runCharge)]
