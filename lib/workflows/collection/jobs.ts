import { chargePayment } from '../../modules/subscriptions/tasks.ts'
import { batchJob } from '../../platform/jobs/tasks.ts'
import { runCharges } from './operations.ts'

export const collectionJobs = [batchJob(chargePayment, runCharges)]
