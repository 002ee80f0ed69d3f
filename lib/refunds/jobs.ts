import { balanceIncreased } from '../ledger/tasks.ts'
import { job } from '../platform/tasks.ts'
import { endWindow, resumeQueue, send } from './operations.ts'
import { sendRefund, windowEnd } from './tasks.ts'

export const refundJobs = [job(windowEnd, endWindow), job(balanceIncreased, resumeQueue), job(sendRefund, send)]
