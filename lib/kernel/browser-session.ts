/** What a browser session needs to be judged; all moments are in real time. */
export interface BrowserSession {
  readonly startedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly endedAt: Date | null
}

export interface SessionLimits {
  readonly idleMs: number
  /** No session lasts longer, however busy it is. */
  readonly longestMs: number
}

/** A use is recorded once a minute at most: a read must not cost a write. */
export const recordedEveryMs = 60_000

export function isSessionOpen({ startedAt, lastUsedAt, endedAt }: BrowserSession, limits: SessionLimits, now: Date) {
  if (!startedAt || !lastUsedAt || endedAt) return false
  return now.getTime() - lastUsedAt.getTime() < limits.idleMs && now.getTime() - startedAt.getTime() < limits.longestMs
}

export const isNewUse = ({ lastUsedAt }: Pick<BrowserSession, 'lastUsedAt'>, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= recordedEveryMs
