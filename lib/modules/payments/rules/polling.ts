const leastMs = 30_000
const mostMs = 3_600_000
/** The wait is this part of the time that has passed: what has taken long may take longer. */
const part = 1 / 20

/**
 * When to ask a provider again about what began at `since` and is still undecided: after half a minute at first, after
 * a twentieth of the time that it has taken later, and after an hour at most.
 */
export function nextLook(since: Date, now: Date): Date {
  const wait = (now.getTime() - since.getTime()) * part
  return new Date(now.getTime() + Math.min(Math.max(wait, leastMs), mostMs))
}
