import type { Locale } from '../../kernel/locale.ts'
import type { CustomerLink, EmailKind, EmailStatus } from './rules/email.ts'
import type { SuppressionCause } from './rules/suppression.ts'

export interface EmailRow {
  readonly id: string
  readonly kind: EmailKind
  readonly to: string
  readonly locale: string
  readonly status: EmailStatus
  readonly createdAt: string
  readonly isResend: boolean
  /** Whether the email bounced, or its reader complained. */
  readonly returned: 'bounced' | 'complained' | null
}

export interface EmailPage extends EmailRow {
  readonly subject: string
  readonly text: string
  readonly outcome: string
  readonly orderId: string | null
  readonly subscriptionId: string | null
  readonly customerId: string | null
  /** Whether the reader may send it again. */
  readonly mayResend: boolean
  /** Why the address is suppressed; empty if it is not. */
  readonly suppressed: readonly {
    readonly cause: SuppressionCause
    readonly reason: string | null
    readonly noticedAt: string
  }[]
  readonly formKey: string
}

export interface EmailKindRow {
  readonly kind: EmailKind
  readonly isSent: boolean
  /** Why it cannot be switched off; null if it can. */
  readonly required: string | null
}

export interface EmailKindsPage {
  readonly kinds: readonly EmailKindRow[]
  readonly maySwitch: boolean
  readonly formKey: string
}

export interface EmailPreviewPage {
  readonly kind: EmailKind
  readonly locale: Locale
  readonly subject: string
  readonly text: string
  readonly htmlUrl: string
}

/** The links for a customer that a page offers to a member. */
export interface CustomerLinks {
  readonly offers: readonly {
    readonly link: CustomerLink
    /** Why the link cannot be made; null if it can. */
    readonly block: 'erased' | 'no_invoice' | 'not_ongoing' | 'not_invoiced' | null
  }[]
  /** The link that the reader has just created. It is shown once. */
  readonly created: { readonly link: CustomerLink; readonly url: string } | null
  readonly url: string
  readonly mayCreate: boolean
  readonly mayEmail: boolean
  readonly formKey: string
}
