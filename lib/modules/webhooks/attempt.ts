import { realNow } from '../../platform/clock/clock.ts'
import { DeliveryError } from '../../platform/outbound/outbound-http.ts'
import { postEvent } from './post.ts'
import type { Attempted } from './record.ts'
import { deliveryTimeoutMs } from './rules/limits.ts'
import { signatureNow } from './signature.ts'

/** Posts an event once, and says how it went. */
export async function attempt(
  { url, secret }: { readonly url: string; readonly secret: string },
  event: { readonly id: string; readonly body: string },
): Promise<Pick<Attempted, 'startedAt' | 'durationMs' | 'signature' | 'reply'>> {
  const startedAt = realNow()
  const signature = signatureNow(secret, event.body)
  const reply = await postEvent({ url, signature }, event, deliveryTimeoutMs).catch((error: unknown) => {
    if (error instanceof DeliveryError) return error
    throw error
  })
  return { startedAt, durationMs: realNow().getTime() - startedAt.getTime(), signature, reply }
}
