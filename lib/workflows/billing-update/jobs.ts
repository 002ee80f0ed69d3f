import { endVerification } from '../../modules/billing-updates/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { expireVerification } from './verification-outcome.ts'

export const billingUpdateJobs = [job(endVerification, expireVerification)]
