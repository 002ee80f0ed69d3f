import { sendAnswer, sendDecision } from '../../modules/chargebacks/tasks.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { submitAnswer } from './answer.ts'
import { runSync, submitDecision } from './operations.ts'

export const chargebackJobs = [
  job(syncChargeback, runSync),
  job(sendDecision, submitDecision),
  job(sendAnswer, submitAnswer),
]
