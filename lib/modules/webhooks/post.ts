import { realNow } from '../../platform/clock/clock.ts'
import { serviceSignature } from '../../platform/crypto/signing.ts'
import { postToPublicAddress, type Reply } from '../../platform/outbound/outbound-http.ts'

/** The signature of a body, as the header has it: of this moment of real time, even if the storefront's test clock is ahead. */
export const signatureNow = (secret: string, body: string): string =>
  serviceSignature(secret, Math.floor(realNow().getTime() / 1000), body)

/** Sends one signed event. */
export function postEvent(
  { url, signature }: { url: string; signature: string },
  event: { id: string; body: string },
  timeoutMs: number,
): Promise<Reply> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Billhook/1 (webhooks)',
    'service-event-id': event.id,
    'service-signature': signature,
  }
  return postToPublicAddress(url, event.body, headers, timeoutMs)
}
