import type { EmailKind } from './email.ts'
import { whyRequired } from './required.ts'

/** Why a storefront does not write to an address: a permanent bounce, or a complaint of the reader. */
export type SuppressionCause = 'bounce' | 'complaint'

/** A suppression of an address. Times are real time. */
export interface Suppression {
  readonly cause: SuppressionCause
  /** The time of the newest notice. */
  readonly noticedAt: Date
  readonly liftedAt: Date | null
}

/**
 * Whether a suppression is in force: until it is lifted, and again after a newer notice. An older notice that arrives
 * late does not count.
 */
export const holds = ({ noticedAt, liftedAt }: Suppression): boolean => liftedAt === null || noticedAt > liftedAt

/**
 * Whether an email of a kind is suppressed. After a permanent bounce nothing is sent. After a complaint only emails
 * that the law requires or the reader requested are sent.
 */
export const isSuppressed = (kind: EmailKind, suppressions: readonly Suppression[]): boolean =>
  suppressions.filter(holds).some(({ cause }) => cause === 'bounce' || whyRequired[kind] === null)

/** A notice of a mail provider about a sent email. */
export interface EmailNotice {
  readonly type: SuppressionCause
  /** For a bounce: whether the mailbox does not exist, rather than refusing for now. */
  readonly permanent: boolean
}

/** The kind of suppression that a notice causes; null for a temporary bounce. */
export const causeOf = ({ type, permanent }: EmailNotice): SuppressionCause | null =>
  type === 'complaint' || permanent ? type : null
