import { readMandate, revokeMandate } from '../../modules/payments/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { runReading } from './pending.ts'
import { runRevocation } from './revoke.ts'

export const mandateJobs = [job(revokeMandate, runRevocation), job(readMandate, runReading)]
