import { isSessionOpen } from '../../../kernel/browser-session.ts'

/** A browser in which an operator logged in. All times are real, not of a test clock. */
export interface OperatorSession {
  readonly id: string
  readonly operatorId: string
  readonly address: string
  readonly browser: string
  readonly createdAt: Date
  /** When the second factor was given. */
  readonly verifiedAt: Date | null
  /** The time of the last code after the sign-in. */
  readonly confirmedAt: Date | null
  readonly lastUsedAt: Date
  readonly endedAt: Date | null
}

/** The time allowed between the password and the second factor. */
const unverifiedMs = 10 * 60_000
const limits = { idleMs: 30 * 60_000, longestMs: 12 * 60 * 60_000 }

/** Money leaves only for somebody who gave a second factor within this time. */
const freshMs = 15 * 60_000

/** Whether the second factor of a session is recent enough for money to leave. */
export const isFresh = ({ verifiedAt, confirmedAt }: OperatorSession, now: Date): boolean =>
  [verifiedAt, confirmedAt].some((at) => at !== null && now.getTime() - at.getTime() < freshMs)

/** `half`: the password was right, and the second factor is awaited. */
export function sessionState(session: OperatorSession, now: Date): 'open' | 'half' | 'over' {
  const { createdAt, verifiedAt, endedAt } = session
  if (verifiedAt) return isSessionOpen({ ...session, startedAt: verifiedAt }, limits, now) ? 'open' : 'over'
  return !endedAt && now.getTime() - createdAt.getTime() < unverifiedMs ? 'half' : 'over'
}
