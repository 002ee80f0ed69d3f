import { emailPortalLink } from '../../modules/portal/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { emailLink } from './email-link.ts'

export const portalJobs = [job(emailPortalLink, emailLink)]
