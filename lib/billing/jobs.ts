import { job } from '../platform/tasks.ts'
import { endVerification } from './tasks.ts'
import { expireVerification } from './verify.ts'

export const billingUpdateJobs = [job(endVerification, expireVerification)]
