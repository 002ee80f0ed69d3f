import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Makes one attempt to deliver an event to a webhook endpoint. `before` is the number of attempts before the current series; a re-send starts a new series. The
 * deliveries to one endpoint form a stream (see `platform/jobs/streams.ts`).
 */
export const deliverWebhook = task(
  'webhook.deliver',
  z.object({ deliveryId: z.string(), before: z.int().default(0) }),
  {
    queue: 'webhooks',
  },
)

export const dispatchWebhooks = task('webhook.dispatch', z.object({ stream: z.string() }), {
  clock: 'real',
  queue: 'webhooks',
  isDispatch: true,
})
