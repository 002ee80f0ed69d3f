const leastMs = 30_000
const mostMs = 3_600_000
/** The wait as a part of the elapsed time, because a long wait makes a longer wait likely. */
const part = 1 / 20

/**
 * The time of the next fetch of an undecided payment, refund, or mandate that began at `since`. The wait is a twentieth of the
 * elapsed time, at least 30 seconds and at most one hour.
 */
export function nextLook(since: Date, now: Date): Date {
  const wait = (now.getTime() - since.getTime()) * part
  return new Date(now.getTime() + Math.min(Math.max(wait, leastMs), mostMs))
}
