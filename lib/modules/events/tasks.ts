import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * One attempt to deliver one event to one endpoint; the webhooks module runs it. `before` is the number of attempts
 * made before the current series: a re-send begins a new series.
 */
export const deliverWebhook = task(
  'webhook.deliver',
  z.object({ deliveryId: z.string(), before: z.int().default(0) }),
  {
    queue: 'webhooks',
  },
)
