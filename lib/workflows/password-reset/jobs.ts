import { emailPasswordLink } from '../../modules/operators/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { emailLink } from './email-link.ts'

export const passwordResetJobs = [job(emailPasswordLink, emailLink)]
