import type { Actor } from './rules/entry.ts'

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
