import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * One attempt to deliver one event to one endpoint. `before` is the number of attempts before the current series: a
 * resend begins a new series. The deliveries to one endpoint are a stream.
 */
export const deliverWebhook = task(
  'webhook.deliver',
  z.object({ deliveryId: z.string(), before: z.int().default(0) }),
  {
    queue: 'webhooks',
  },
)

/** Makes all due attempts for one endpoint. */
export const dispatchWebhooks = task('webhook.dispatch', z.object({ stream: z.string() }), {
  clock: 'real',
  queue: 'webhooks',
  isDispatch: true,
})
