import type { EmailKind } from './email.ts'
import { whyRequired } from './required.ts'

/** Why a storefront does not write to an address: an email came back for good, or its reader complained. */
export type SuppressionCause = 'bounce' | 'complaint'

/** A suppression of an address. Moments are in real time. */
export interface Suppression {
  readonly cause: SuppressionCause
  /** Of the newest notice. */
  readonly noticedAt: Date
  readonly liftedAt: Date | null
}

/** Whether it holds: until it is lifted, and again after a newer notice. An older one that comes late does not count. */
export const holds = ({ noticedAt, liftedAt }: Suppression): boolean => liftedAt === null || noticedAt > liftedAt

/**
 * Whether an email of a kind is not sent. Nothing is sent to a mailbox that does not exist. Somebody who complained
 * still gets what the law requires or what they asked for.
 */
export const isSuppressed = (kind: EmailKind, suppressions: readonly Suppression[]): boolean =>
  suppressions.filter(holds).some(({ cause }) => cause === 'bounce' || whyRequired[kind] === null)

/** A notice of a mail provider about an email that was sent. */
export interface EmailNotice {
  readonly type: SuppressionCause
  /** Of a bounce: whether the mailbox does not exist, and not only refuses for now. */
  readonly permanent: boolean
}

/** What a notice suppresses; null for a bounce that may be over tomorrow. */
export const causeOf = ({ type, permanent }: EmailNotice): SuppressionCause | null =>
  type === 'complaint' || permanent ? type : null
