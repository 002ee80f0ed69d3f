import { config } from '@/lib/platform/config.ts'
import { addressBlock, clientAddress } from '@/lib/platform/http/client-address.ts'
import { sharedLimits } from '@/lib/platform/http/shared-limits.ts'

/** A sent form, a quote that follows the input, a page of the portal, or a file generated for one reader. */
export type Asked = 'form' | 'quote' | 'page' | 'file'
/**
 * The multiple of the limit of forms: a person reads more pages than they send forms, and a file costs seconds of CPU.
 */
const share = { form: 1, quote: 10, page: 4, file: 1 / 3 } as const satisfies Record<Asked, number>

/** Our tokens have 44 characters. Longer ones must not fill the memory. */
const longestToken = 64

/**
 * Counts a request to a hosted page by its link and by its IP address, in real time. The share of a minute may be used
 * at once. A page without a link (null) is counted by address (IPv6: /64) alone. Returns null, or the whole seconds
 * after which a retry is allowed.
 */
export function countForm(asked: Asked, page: string, token: string | null, request: Request): number | null {
  const { rateLimitForms, rateLimitFormsAddress } = config()
  const address = addressBlock(clientAddress(request))
  const counts = [
    { key: `${asked} from ${address}`, limit: address === '' ? 0 : rateLimitFormsAddress },
    { key: `${asked} ${page} ${(token || address).slice(0, longestToken)}`, limit: rateLimitForms },
  ]
  for (const { key, limit } of counts) {
    const perMinute = limit === 0 ? 0 : Math.max(1, limit * share[asked])
    const verdict = sharedLimits().limiter('form').take(key, perMinute, Date.now(), perMinute)
    if (!verdict.allowed) return verdict.retryAfterSeconds
  }
  return null
}
