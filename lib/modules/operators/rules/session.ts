import { isSessionOpen } from '../../../kernel/browser-session.ts'

/** Times come from the real clock, not from a test clock. */
export interface OperatorSession {
  readonly id: string
  readonly operatorId: string
  readonly address: string
  readonly browser: string
  readonly createdAt: Date
  readonly verifiedAt: Date | null
  /**
   * The time at which the person last confirmed an action with a code; null if the person has confirmed no action in
   * this session.
   */
  readonly confirmedAt: Date | null
  readonly lastUsedAt: Date
  readonly endedAt: Date | null
}

/** The longest time between the password and the second factor, in milliseconds. */
const unverifiedMs = 10 * 60_000
const limits = { idleMs: 30 * 60_000, longestMs: 12 * 60 * 60_000 }

const freshMs = 15 * 60_000

/** Whether the second factor is recent enough for actions with the step-up `recent`, such as refunds. */
export const isFresh = ({ verifiedAt, confirmedAt }: OperatorSession, now: Date): boolean =>
  [verifiedAt, confirmedAt].some((at) => at !== null && now.getTime() - at.getTime() < freshMs)

/** `half`: the second factor is missing. */
export function sessionState(session: OperatorSession, now: Date): 'open' | 'half' | 'over' {
  const { createdAt, verifiedAt, endedAt } = session
  if (verifiedAt) return isSessionOpen({ ...session, startedAt: verifiedAt }, limits, now) ? 'open' : 'over'
  return !endedAt && now.getTime() - createdAt.getTime() < unverifiedMs ? 'half' : 'over'
}
