import type { Actor } from './rules/entry.ts'
import type { AuditTopic } from './rules/topics.ts'
import type { AuditEnd } from './verify.ts'

export interface AuditPage {
  readonly entries: readonly AuditRow[]
  /** Where the whole log ends; null if it is empty. */
  readonly end: AuditEnd | null
  readonly subject: string | null
  readonly isNewest: boolean
  readonly newestUrl: string
  readonly olderUrl: string | null
  readonly exportUrl: string
}

/** `at` is ISO 8601 in UTC, to the millisecond. */
export interface AuditRow {
  number: number
  at: string
  actor: Actor
  /** The email address of an operator, or the name of the system's user. */
  who: string
  action: string
  subject: string
  /** The name of the subject if it is a key with a name. */
  subjectName: string | null
  before: string | null
  after: string | null
  /** The keyed hash, in hexadecimal. A copy of the head made after this entry has the same value. */
  hash: string
}

export interface MerchantAuditPage {
  /** `who` is null for the service's own staff. */
  readonly entries: readonly (Omit<AuditRow, 'who'> & { readonly who: string | null })[]
  readonly topics: readonly { readonly topic: AuditTopic | null; readonly url: string }[]
  readonly filter: {
    readonly topic: AuditTopic | null
    readonly member: string | null
    readonly from: string | null
    readonly to: string | null
  }
  readonly members: readonly { readonly id: string; readonly email: string }[]
  readonly listUrl: string
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}
