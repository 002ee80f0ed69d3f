import { job } from '../../platform/jobs/tasks.ts'
import { deliverWebhook, dispatchWebhooks } from '../events/tasks.ts'
import { attemptDelivery } from './deliver.ts'
import { dispatchDeliveries } from './dispatch.ts'

export const webhookJobs = [job(deliverWebhook, attemptDelivery), job(dispatchWebhooks, dispatchDeliveries)]
