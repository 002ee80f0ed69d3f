import { revokeMandate } from '../../modules/payments/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { runRevocation } from './revoke.ts'

export const mandateJobs = [job(revokeMandate, runRevocation)]
