import { Refusal } from '../../kernel/refusal.ts'
import { config } from '../config.ts'
import { type ApiKey, authenticate } from './authentication.ts'
import { addressBlock, clientAddress } from './client-address.ts'
import type { Verdict } from './rate-limit.ts'
import { sharedLimits } from './shared-limits.ts'

const byKey = sharedLimits().limiter('key')
const byAddress = sharedLimits().limiter('address')
const noticesByAddress = sharedLimits().limiter('notices')

/**
 * Authenticates a request and counts it toward the limit of its key, or of its address if the key is not valid. Sets the RateLimit headers, even on a refusal.
 * Refuses with `unauthenticated` or `rate_limited`.
 */
export async function admit(request: Request, headers: Headers): Promise<ApiKey> {
  const key = await count(request, headers)
  if (!key) throw new Refusal('unauthenticated')
  return key
}

/**
 * Counts a request to an endpoint without authentication toward the limit of its address. Refuses with `rate_limited`.
 */
export async function admitAnybody(request: Request, headers: Headers): Promise<void> {
  await count(request, headers)
}

/**
 * Counts a webhook from a provider separately, because providers send thousands per minute from a few addresses.
 * Refuses with `rate_limited`.
 */
export async function admitNotice(request: Request, headers: Headers): Promise<void> {
  const limit = config().rateLimitNotices
  grant(headers, noticesByAddress.take(addressBlock(clientAddress(request)), limit, Date.now(), limit))
}

async function count(request: Request, headers: Headers): Promise<ApiKey | null> {
  const limit = config().rateLimitAnonymous
  let anonymous: Verdict | undefined
  // Counts the request toward the limit of its address at most once. Counts before the look-up of the key, because look-ups are the main cost of a flood.
  const countAddress = () => {
    // An address may use its limit for a whole minute in one burst, because the setup of a client often begins with
    // several failed requests.
    anonymous ??= byAddress.take(addressBlock(clientAddress(request)), limit, Date.now(), limit)
    return anonymous
  }
  // Sets the headers before the look-up of the key, because the look-up fails if the database is unavailable.
  setRateLimit(headers, { limit, remaining: limit, resetSeconds: 0 })
  const key = await authenticate(request.headers.get('authorization'), () => countAddress().allowed)
  const verdict = key ? byKey.take(key.keyId, limitOf(key), Date.now()) : countAddress()
  grant(headers, verdict)
  return key
}

function grant(headers: Headers, verdict: Verdict): void {
  setRateLimit(headers, verdict)
  if (!verdict.allowed) throw new Refusal('rate_limited', {}, { retryAfterSeconds: verdict.retryAfterSeconds })
}

const limitOf = ({ testmode }: ApiKey) => (testmode ? config().rateLimitTest : config().rateLimitLive)

type RateLimit = Pick<Verdict, 'limit' | 'remaining' | 'resetSeconds'>

function setRateLimit(headers: Headers, { limit, remaining, resetSeconds }: RateLimit): void {
  const values = { 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds }
  for (const [name, value] of Object.entries(values)) {
    if (limit === 0) headers.delete(name)
    else headers.set(name, String(value))
  }
}
