import { toWire } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { DeliveryError, type Reply } from '../../platform/outbound/outbound-http.ts'
import { Busy, WorkQueue } from '../../platform/work-queue.ts'
import { postEvent } from './post.ts'
import { pingsAtOnce, setupTimeoutMs } from './rules/limits.ts'
import { webhookSignature } from './signature.ts'
import type { WebhookEndpoint } from './store.ts'

/**
 * Limits the pings per storefront, so that slots remain free for other storefronts. Without a response, a ping occupies
 * its slot for up to ten seconds.
 */
const pings = new WorkQueue({
  atOnce: 64,
  atOnceOfOne: pingsAtOnce,
  most: 256,
  mostOfOne: pingsAtOnce,
  retryAfterSeconds: setupTimeoutMs / 1000,
})

/**
 * Sends one `webhook.setup` ping, which is signed and not stored. `party` is the id of the storefront whose limit applies. Returns the response,
 * or the reason why no response arrived. Throws `rate_limited` if the storefront has too many pings in progress.
 */
export async function sendSetup(
  party: string,
  { id, url, testmode }: Pick<WebhookEndpoint, 'id' | 'url' | 'testmode'>,
  secrets: readonly string[],
  now: Date,
): Promise<Reply | DeliveryError> {
  const eventId = newId('webhook_event_', now)
  const body = JSON.stringify({
    id: eventId,
    resource: 'webhook_event',
    eventName: 'webhook.setup',
    reason: null,
    entityType: 'webhook',
    entityId: id,
    testmode,
    createdAt: toWire(now),
    object: { resource: 'webhook_endpoint', id, url, testmode },
  })
  const event = { id: eventId, body }
  try {
    return await pings.run(party, () =>
      postEvent({ url, testmode, signature: webhookSignature(secrets, body) }, event, setupTimeoutMs),
    )
  } catch (error) {
    if (error instanceof DeliveryError) return error
    if (error instanceof Busy) throw new Refusal('rate_limited', {}, busy(error))
    throw error
  }
}

const busy = ({ retryAfterSeconds }: Busy) => ({
  retryAfterSeconds,
  message: `Too many pings of this storefront are running: at most ${pingsAtOnce} run at once. Retry-After states the seconds to wait.`,
})

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status <= 299
