import { realNow } from '../../platform/clock/clock.ts'
import { log } from '../../platform/log.ts'
import { DeliveryError } from '../../platform/outbound/outbound-http.ts'
import { traced } from '../../platform/tracing.ts'
import { postEvent } from './post.ts'
import type { Attempted } from './record.ts'
import { deliveryTimeoutMs } from './rules/limits.ts'
import { type Signing, signingSecrets, unopenedSecret } from './secrets.ts'
import { signatureNow } from './signature.ts'
import type { WebhookEndpoint } from './store.ts'

/** Sends an event once and returns the result. `trace` is the cause if it is not the running span. */
export async function attempt(
  endpoint: Signing & Pick<WebhookEndpoint, 'url' | 'testmode'>,
  event: { readonly id: string; readonly body: string },
  trace: string | null = null,
): Promise<Pick<Attempted, 'startedAt' | 'durationMs' | 'signature' | 'reply'>> {
  const startedAt = realNow()
  const secrets = signingSecrets(endpoint, startedAt)
  if (secrets === null) {
    // An operator restores the key, or the owner sets another secret. Until then the event waits as for an unavailable
    // receiver.
    log.error({ endpointId: endpoint.id }, 'the secret of a webhook endpoint cannot be opened')
    return { startedAt, durationMs: 0, signature: null, reply: new DeliveryError(unopenedSecret) }
  }
  const signature = signatureNow(secrets, event.body)
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
