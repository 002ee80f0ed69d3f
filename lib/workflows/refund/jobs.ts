import { balanceIncreased } from '../../modules/ledger/tasks.ts'
import { sendRefund, windowEnd } from '../../modules/refunds/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { endWindow, resumeQueue, send } from './operations.ts'

export const refundJobs = [job(windowEnd, endWindow), job(balanceIncreased, resumeQueue), job(sendRefund, send)]
