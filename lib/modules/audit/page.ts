import type { Actor } from './rules/entry.ts'

/** A page of the audit log. */
export interface AuditPage {
  readonly entries: readonly AuditRow[]
  /** The id that it is narrowed to; null for all. */
  readonly subject: string | null
  readonly isNewest: boolean
  readonly newestUrl: string
  readonly olderUrl: string | null
  readonly exportUrl: string
}

/** An entry of the audit log as it is shown. `at` is ISO 8601 in UTC, to the millisecond. */
export interface AuditRow {
  number: number
  at: string
  actor: Actor
  /** The address of an operator, or the name of the system's user. */
  who: string
  action: string
  subject: string
  /** JSON. */
  before: string | null
  after: string | null
}
