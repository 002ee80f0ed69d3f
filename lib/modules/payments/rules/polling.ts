const leastMs = 30_000
const mostMs = 3_600_000
/** The longer a payment has been pending, the longer it is likely to stay pending. */
const part = 1 / 20

/** The wait is a twentieth of the time since `since`, at least 30 seconds and at most one hour. */
export function nextLook(since: Date, now: Date): Date {
  const wait = (now.getTime() - since.getTime()) * part
  return new Date(now.getTime() + Math.min(Math.max(wait, leastMs), mostMs))
}
