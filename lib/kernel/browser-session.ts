/** All times are in real time, even in test mode. */
export interface BrowserSession {
  readonly startedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly endedAt: Date | null
}

export interface SessionLimits {
  readonly idleMs: number
  /** The maximum lifetime. Use of the session does not extend it. */
  readonly longestMs: number
}

/** The last use of a session is stored at most once per minute, so that reads rarely cause a write. */
export const recordedEveryMs = 60_000

export function isSessionOpen({ startedAt, lastUsedAt, endedAt }: BrowserSession, limits: SessionLimits, now: Date) {
  if (!startedAt || !lastUsedAt || endedAt) return false
  return now.getTime() - lastUsedAt.getTime() < limits.idleMs && now.getTime() - startedAt.getTime() < limits.longestMs
}

export const isNewUse = ({ lastUsedAt }: Pick<BrowserSession, 'lastUsedAt'>, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= recordedEveryMs
