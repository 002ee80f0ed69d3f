import { endVerification } from '../../modules/billing-updates/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { expireVerification } from './verify.ts'

export const billingUpdateJobs = [job(endVerification, expireVerification)]
