import { syncChargeback } from '../payments/tasks.ts'
import { job } from '../platform/tasks.ts'
import { runSync, submitDecision } from './operations.ts'
import { sendDecision } from './tasks.ts'

export const chargebackJobs = [job(syncChargeback, runSync), job(sendDecision, submitDecision)]
