/** Failed sign-in attempts that count together. All times are real, not of a test clock. */
export interface Failures {
  readonly count: number
  /** The time of the first failure that counts. */
  readonly since: Date
  readonly lockedUntil: Date | null
}

/**
 * The scope of a count. `source`: one account from one address, known browser, or session. `account`: one account from all unknown
 * browsers at any address.
 */
export type Limit = 'source' | 'account'

export type Purpose = 'password' | 'code'

const hourMs = 60 * 60_000
/** Failures without a lock, to allow for typing errors. */
const freeOfSource = 5
const longestLockMs = 15 * 60_000
/** After a day without a lock a source starts again. */
const forgottenMs = 24 * hourMs
/** Failures of one account within an hour before it locks. Three of a million codes are right at a time. */
const mostOfAccount: Readonly<Record<Purpose, number>> = { password: 30, code: 15 }

/**
 * How long a source is locked after failures in a row, in milliseconds: not at all at first, then for a minute, and twice as long with
 * each further one, up to a quarter of an hour. Guesses from one source are at most about a hundred a day.
 */
export function lockedForMs(failures: number): number {
  if (failures < freeOfSource) return 0
  return Math.min(60_000 * 2 ** (failures - freeOfSource), longestLockMs)
}

export const isLocked = ({ lockedUntil }: Pick<Failures, 'lockedUntil'>, now: Date): boolean =>
  lockedUntil !== null && now < lockedUntil

/** The failures after one more failure. Failures of an account count by the hour, failures of a source in a row. */
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
