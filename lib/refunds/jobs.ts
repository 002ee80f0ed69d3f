import { balanceGrew } from '../ledger/tasks.ts'
import { job } from '../platform/tasks.ts'
import { endWindow, moveOn, send } from './operations.ts'
import { sendRefund, windowEnd } from './tasks.ts'

export const refundJobs = [job(windowEnd, endWindow), job(balanceGrew, moveOn), job(sendRefund, send)]
