import { job } from '../../platform/jobs/tasks.ts'
import { deliverWebhook } from '../events/tasks.ts'
import { attemptDelivery } from './deliver.ts'

export const webhookJobs = [job(deliverWebhook, attemptDelivery)]
