import type { EmailKind } from './email.ts'
import { whyRequired } from './required.ts'

/** Why a storefront does not write to an address: a permanent bounce, or a complaint of the reader. */
export type SuppressionCause = 'bounce' | 'complaint'

/** A suppression of an address. Times are real time. */
export interface Suppression {
  readonly cause: SuppressionCause
  readonly noticedAt: Date
  readonly liftedAt: Date | null
}

/** In force until the suppression is lifted, and again after a newer notice. A late old notice does not count. */
export const holds = ({ noticedAt, liftedAt }: Suppression): boolean => liftedAt === null || noticedAt > liftedAt

/** A permanent bounce suppresses all. A complaint allows emails that the law requires or the reader requested. */
export const isSuppressed = (kind: EmailKind, suppressions: readonly Suppression[]): boolean =>
  suppressions.filter(holds).some(({ cause }) => cause === 'bounce' || whyRequired[kind] === null)

export interface EmailNotice {
  readonly type: SuppressionCause
  /** For a bounce: whether the mailbox does not exist. */
  readonly permanent: boolean
}

/** The kind of suppression that a notice causes; null for a temporary bounce. */
export const causeOf = ({ type, permanent }: EmailNotice): SuppressionCause | null =>
  type === 'complaint' || permanent ? type : null
