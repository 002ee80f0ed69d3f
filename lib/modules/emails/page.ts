import type { EmailKind, EmailStatus } from './rules/email.ts'

/** An email in a list of the admin area. */
export interface EmailRow {
  readonly id: string
  readonly kind: EmailKind
  readonly to: string
  readonly locale: string
  readonly status: EmailStatus
  readonly createdAt: string
  readonly isResend: boolean
}

/** An email as its reader gets it. */
export interface EmailPage extends EmailRow {
  readonly subject: string
  readonly text: string
  /** What happened to it, in a sentence. */
  readonly outcome: string
  readonly orderId: string | null
  /** Whether the reader may send it again. */
  readonly mayResend: boolean
}
