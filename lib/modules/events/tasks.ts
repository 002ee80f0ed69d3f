import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * One attempt to deliver one event to one endpoint; the webhooks module runs it. `before` is the number of attempts
 * made before the current series: a re-send begins a new series. Those to one endpoint are a stream.
 */
export const deliverWebhook = task(
  'webhook.deliver',
  z.object({ deliveryId: z.string(), before: z.int().default(0) }),
  {
    queue: 'webhooks',
  },
)

/** The dispatch of the stream of an endpoint: makes all attempts that are due. */
export const dispatchWebhooks = task('webhook.dispatch', z.object({ stream: z.string() }), {
  clock: 'real',
  queue: 'webhooks',
  isDispatch: true,
})
