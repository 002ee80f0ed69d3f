import { job } from '../../platform/jobs/tasks.ts'
import { dispatchWebhooks } from '../events/tasks.ts'
import { dispatchDeliveries } from './dispatch.ts'

export const webhookJobs = [job(dispatchWebhooks, dispatchDeliveries)]
