/** Seconds to wait after each failed attempt: ten attempts in about three days. */
export const waits = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600] as const

const longestRetryAfter = 24 * 3600

/**
 * When to try again after `failed` failed attempts, in seconds from now; null when all are used up. `chance` (0 to 1) adds
 * up to 10 % of jitter; a receiver's Retry-After that is longer is kept to, up to a day.
 */
export function nextWait(failed: number, chance: number, retryAfterSeconds: number | null): number | null {
  const wait = waits[failed - 1]
  if (wait === undefined) return null
  const jittered = Math.floor(wait * (1 + chance / 10))
  return Math.max(jittered, Math.min(retryAfterSeconds ?? 0, longestRetryAfter))
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** `Retry-After` (RFC 9110, 10.2.3) in seconds: a number of them, or an HTTP date. Null when it is neither. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.getTime()) / 1000))
}
