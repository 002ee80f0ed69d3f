import { config } from '@/lib/platform/config.ts'
import { addressBlock, clientAddress } from '@/lib/platform/http/client-address.ts'
import { sharedLimits } from '@/lib/platform/http/shared-limits.ts'

/** The kind of a rate-limited request: a form submission, a price quote, a hosted page, or a generated file. */
export type Asked = 'form' | 'quote' | 'page' | 'file'
/**
 * The limit of each kind of request, as a multiple of the limit of form submissions. A person reads more pages than
 * they send forms, and a file costs seconds of CPU time.
 */
const share = { form: 1, quote: 10, page: 4, file: 1 / 3 } as const satisfies Record<Asked, number>

/**
 * The rate limiter cuts longer tokens to this number of characters, so that long texts cannot fill the memory. Our
 * tokens have 44 characters.
 */
const longestToken = 64

/**
 * Counts a request toward two limits: per IP address (IPv6: /64), and per link or, without a token, per address and
 * page. Returns null within the limits, which permit all requests of a minute at once, or else the seconds until the
 * next allowed request.
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
