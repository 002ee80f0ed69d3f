import { job } from '../../platform/jobs/tasks.ts'
import { deliverEmail } from './operations.ts'
import { sendEmail } from './tasks.ts'

export const emailJobs = [job(sendEmail, deliverEmail)]
