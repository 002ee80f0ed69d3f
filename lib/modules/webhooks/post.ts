import { realNow } from '../../platform/clock/clock.ts'
import { serviceSignature } from '../../platform/crypto/signing.ts'
import { postToPublicAddress, type Reply } from '../../platform/outbound/outbound-http.ts'

/** Sends one signed event. The signature is fresh and in real time, even if the storefront's test clock is ahead. */
export function postEvent(
  { url, secret }: { url: string; secret: string },
  event: { id: string; body: string },
  timeoutMs: number,
): Promise<Reply> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Billhook/1 (webhooks)',
    'service-event-id': event.id,
    'service-signature': serviceSignature(secret, Math.floor(realNow().getTime() / 1000), event.body),
  }
  return postToPublicAddress(url, event.body, headers, timeoutMs)
}
