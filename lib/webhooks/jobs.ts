import { deliverWebhook } from '../platform/outbox.ts'
import { job } from '../platform/tasks.ts'
import { attemptDelivery } from './deliver.ts'

export const webhookJobs = [job(deliverWebhook, attemptDelivery)]
