/** Times come from the real clock, not from a test clock. */
export interface Failures {
  readonly count: number
  readonly since: Date
  readonly lockedUntil: Date | null
}

/** `source`: attempts from one address, known browser, or session. `account`: attempts in all unknown browsers. */
export type Limit = 'source' | 'account'

export type Purpose = 'password' | 'code'

const hourMs = 60 * 60_000
const freeOfSource = 5
const longestLockMs = 15 * 60_000
/** The failures of a source are forgotten 24 hours after the first failure, unless the source is locked. */
const forgottenMs = 24 * hourMs
/**
 * The maximum number of failures per hour. A guessed code is correct with a probability of only 3 in 1,000,000,
 * although the previous and the next code are accepted too.
 */
const mostOfAccount: Readonly<Record<Purpose, number>> = { password: 30, code: 15 }

/** Returns milliseconds: one minute at the fifth failure, doubled by each further failure, up to 15 minutes (about 100 attempts per day). */
export function lockedForMs(failures: number): number {
  if (failures < freeOfSource) return 0
  return Math.min(60_000 * 2 ** (failures - freeOfSource), longestLockMs)
}

export const isLocked = ({ lockedUntil }: Pick<Failures, 'lockedUntil'>, now: Date): boolean =>
  lockedUntil !== null && now < lockedUntil

/** The limit of an account counts the failures per hour. The limit of a source counts consecutive failures. */
export function afterFailure(limit: Limit, purpose: Purpose, before: Failures, now: Date): Failures {
  const age = now.getTime() - before.since.getTime()
  const isOver = age >= (limit === 'account' ? hourMs : forgottenMs) && !isLocked(before, now)
  const { count, since } =
    isOver || before.count === 0 ? { count: 1, since: now } : { ...before, count: before.count + 1 }
  if (limit === 'source') {
    const lockMs = lockedForMs(count)
    return { count, since, lockedUntil: lockMs === 0 ? null : new Date(now.getTime() + lockMs) }
  }
  const isFull = count >= mostOfAccount[purpose]
  return { count, since, lockedUntil: isFull ? new Date(since.getTime() + hourMs) : null }
}
