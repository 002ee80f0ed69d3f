import { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { sendChargeNotice } from './charge-notices.ts'

export const customerEmailJobs = [job(chargeNotice, sendChargeNotice)]
