import { job } from '../platform/tasks.ts'
import { endOfPeriod, runCharge } from './operations.ts'
import { charge, periodEnd } from './tasks.ts'
import { chargeTogether, renewTogether } from './together.ts'

export const subscriptionJobs = [job(periodEnd, endOfPeriod, renewTogether), job(charge, runCharge, chargeTogether)]
