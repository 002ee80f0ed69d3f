import { emailChangeLink } from '../../modules/portal/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { emailLink } from './email-link.ts'

export const emailChangeJobs = [job(emailChangeLink, emailLink)]
