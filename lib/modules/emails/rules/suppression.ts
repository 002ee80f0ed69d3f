import type { EmailKind } from './email.ts'
import { whyRequired } from './required.ts'

export type SuppressionCause = 'bounce' | 'complaint'

export interface Suppression {
  readonly cause: SuppressionCause
  readonly noticedAt: Date
  readonly liftedAt: Date | null
}

/**
 * Whether the suppression is in force. Staff can lift a suppression, and a notice that is newer than the lift restores
 * it.
 */
export const holds = ({ noticedAt, liftedAt }: Suppression): boolean => liftedAt === null || noticedAt > liftedAt

/** A bounce suppresses every email. A complaint suppresses only emails that can be switched off. */
export const isSuppressed = (kind: EmailKind, suppressions: readonly Suppression[]): boolean =>
  suppressions.filter(holds).some(({ cause }) => cause === 'bounce' || whyRequired[kind] === null)

export interface EmailNotice {
  readonly type: SuppressionCause
  /** For a bounce, `permanent` says whether the mailbox refuses emails permanently. */
  readonly permanent: boolean
}

export const causeOf = ({ type, permanent }: EmailNotice): SuppressionCause | null =>
  type === 'complaint' || permanent ? type : null
