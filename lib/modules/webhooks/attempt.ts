import { realNow } from '../../platform/clock/clock.ts'
import { log } from '../../platform/log.ts'
import { DeliveryError } from '../../platform/outbound/outbound-http.ts'
import { traced } from '../../platform/tracing.ts'
import { postEvent } from './post.ts'
import type { Attempted } from './record.ts'
import { deliveryTimeoutMs } from './rules/limits.ts'
import { type Signing, signingSecrets, unreadableSecret } from './secrets.ts'
import { webhookSignature } from './signature.ts'
import type { WebhookEndpoint } from './store.ts'

/** Makes one attempt to send an event. `trace` is the parent span. If `trace` is null, the running span is the parent. */
export async function attempt(
  endpoint: Signing & Pick<WebhookEndpoint, 'url' | 'testmode'>,
  event: { readonly id: string; readonly body: string },
  trace: string | null = null,
): Promise<Pick<Attempted, 'startedAt' | 'durationMs' | 'signature' | 'reply'>> {
  const startedAt = realNow()
  const secrets = signingSecrets(endpoint, startedAt)
  if (secrets === null) {
    // If the secret cannot be decrypted, the delivery is retried as if the receiver were unavailable. A retry can
    // succeed after the lost `SECRET_KEY` is configured again or the merchant sets a new secret.
    log.error({ endpointId: endpoint.id }, 'the secret of a webhook endpoint cannot be decrypted')
    return { startedAt, durationMs: 0, signature: null, reply: new DeliveryError(unreadableSecret) }
  }
  const signature = webhookSignature(secrets, event.body)
  const reply = await traced('delivery', { kind: 'client', parent: trace, isInner: true }, async (span) => {
    try {
      const reply = await postEvent(
        { url: endpoint.url, testmode: endpoint.testmode, signature },
        event,
        deliveryTimeoutMs,
      )
      span.set({ 'http.response.status_code': reply.status })
      if (reply.status >= 300) span.fail(String(reply.status))
      return reply
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      span.fail('no_answer')
      return error
    }
  })
  return { startedAt, durationMs: realNow().getTime() - startedAt.getTime(), signature, reply }
}
