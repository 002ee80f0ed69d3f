const leastMs = 30_000
const mostMs = 3_600_000
/**
 * The wait before the next query is this part of the elapsed time. A payment that has been pending for long is likely
 * to stay pending, so it needs fewer queries.
 */
const part = 1 / 20

/**
 * Returns the time of the next query to the provider. The wait is a twentieth of the time since `since`, at least 30
 * seconds and at most one hour.
 */
export function nextLook(since: Date, now: Date): Date {
  const wait = (now.getTime() - since.getTime()) * part
  return new Date(now.getTime() + Math.min(Math.max(wait, leastMs), mostMs))
}
