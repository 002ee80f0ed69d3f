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
 * Authenticates a call and counts it: by its key, or without a valid key by its address. Sets the RateLimit headers, also of a
 * call that is refused, unless the limit is off. Refuses `unauthenticated` and `rate_limited`.
 */
export async function admit(request: Request, headers: Headers): Promise<ApiKey> {
  const key = await count(request, headers)
  if (!key) throw new Refusal('unauthenticated')
  return key
}

/** Like `admit`, for calls that need no key. A valid key is still counted. Refuses `rate_limited`. */
export async function admitAnybody(request: Request, headers: Headers): Promise<void> {
  await count(request, headers)
}

/**
 * Counts a provider notice by its address, separately from all other calls. Providers send thousands of notices per
 * minute from a few addresses, and other callers must not block them. Refuses `rate_limited`.
 */
export async function admitNotice(request: Request, headers: Headers): Promise<void> {
  const limit = config().rateLimitNotices
  grant(headers, noticesByAddress.take(addressBlock(clientAddress(request)), limit, Date.now(), limit))
}

async function count(request: Request, headers: Headers): Promise<ApiKey | null> {
  const limit = config().rateLimitAnonymous
  let anonymous: Verdict | undefined
  // Counted once per call, and before the look-up of a key, because the look-up is the cost of a flood.
  const countAddress = () => {
    // The limit of a minute may be used at once: setting up a client often begins with some failed calls.
    anonymous ??= byAddress.take(addressBlock(clientAddress(request)), limit, Date.now(), limit)
    return anonymous
  }
  // These headers remain if the database is unavailable and the key cannot be looked up.
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

/** A limit of 0 means no limit, so there are no headers. */
function setRateLimit(headers: Headers, { limit, remaining, resetSeconds }: RateLimit): void {
  const values = { 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds }
  for (const [name, value] of Object.entries(values)) {
    if (limit === 0) headers.delete(name)
    else headers.set(name, String(value))
  }
}
