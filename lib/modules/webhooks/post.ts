import { postToPublicAddress, type Reply } from '../../platform/outbound/outbound-http.ts'

export function postEvent(
  { url, testmode, signature }: { url: string; testmode: boolean; signature: string },
  event: { id: string; body: string },
  timeoutMs: number,
): Promise<Reply> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Billhook/1 (webhooks)',
    'service-event-id': event.id,
    'service-signature': signature,
  }
  return postToPublicAddress(url, { body: event.body, headers, timeoutMs, testmode })
}
