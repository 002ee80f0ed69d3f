import { job } from '../platform/tasks.ts'
import { send } from './operations.ts'
import { sendMail } from './tasks.ts'

export const mailJobs = [job(sendMail, send)]
