import { deliverWebhook } from '../../platform/jobs/outbox.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { attemptDelivery } from './deliver.ts'

export const webhookJobs = [job(deliverWebhook, attemptDelivery)]
