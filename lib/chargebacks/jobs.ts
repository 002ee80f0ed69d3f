import { chargebackNews } from '../payments/tasks.ts'
import { job } from '../platform/tasks.ts'
import { runNews, tellProvider } from './operations.ts'
import { tellDecision } from './tasks.ts'

export const chargebackJobs = [job(chargebackNews, runNews), job(tellDecision, tellProvider)]
