import type { Actor } from './rules/entry.ts'
import type { AuditTopic } from './rules/topics.ts'
import type { AuditEnd } from './verify.ts'

export interface AuditPage {
  readonly entries: readonly AuditRow[]
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
  /** `who` is the email address of an operator, or the user name of the operating system. */
  who: string
  action: string
  subject: string
  /** `subjectName` is the name of a key or a storefront, or the email address of an operator. */
  subjectName: string | null
  before: string | null
  after: string | null
  /**
   * The keyed hash of the entry, in hexadecimal. An operator can store the number and hash of the newest entry (`AuditPage.end`) outside the database. If the
   * entry with this number later has a different hash, the log was changed.
   */
  hash: string
}

export interface MerchantAuditPage {
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
