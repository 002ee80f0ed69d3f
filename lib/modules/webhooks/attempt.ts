import { realNow } from '../../platform/clock/clock.ts'
import { DeliveryError } from '../../platform/outbound/outbound-http.ts'
import { traced } from '../../platform/tracing.ts'
import { postEvent } from './post.ts'
import type { Attempted } from './record.ts'
import { deliveryTimeoutMs } from './rules/limits.ts'
import { signatureNow } from './signature.ts'

/** Posts an event once, and says how it went. `trace` is what it follows from, if that is not what runs now. */
export async function attempt(
  { url, secret }: { readonly url: string; readonly secret: string },
  event: { readonly id: string; readonly body: string },
  trace: string | null = null,
): Promise<Pick<Attempted, 'startedAt' | 'durationMs' | 'signature' | 'reply'>> {
  const startedAt = realNow()
  const signature = signatureNow(secret, event.body)
  const reply = await traced('delivery', { kind: 'client', parent: trace, isInner: true }, async (span) => {
    try {
      const reply = await postEvent({ url, signature }, event, deliveryTimeoutMs)
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
