import type { Locale } from '../../kernel/locale.ts'
import type { Named } from '../../kernel/named.ts'
import type { CustomerLink, EmailKind, EmailStatus } from './rules/email.ts'
import type { EmailOutcome } from './rules/outcome.ts'
import type { RequiredReason } from './rules/required.ts'
import type { SuppressionCause } from './rules/suppression.ts'

export interface EmailRow {
  readonly id: string
  readonly kind: EmailKind
  readonly to: string
  readonly locale: string
  readonly status: EmailStatus
  readonly createdAt: string
  readonly isResend: boolean
  readonly returned: 'bounced' | 'complained' | null
}

export interface EmailPage extends EmailRow {
  readonly subject: string
  readonly text: string
  readonly outcome: EmailOutcome
  /** `lastError` is for staff only, because it can name servers of the installation. It is null for members of a merchant. */
  readonly lastError: string | null
  readonly order: Named | null
  readonly subscription: Named | null
  readonly customer: Named | null
  readonly mayResend: boolean
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
  /** The reason why the kind cannot be switched off; null if it can. */
  readonly required: RequiredReason | null
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

export interface CustomerLinks {
  readonly offers: readonly {
    readonly link: CustomerLink
    readonly block: 'erased' | 'no_invoice' | 'not_ongoing' | 'not_invoiced' | null
  }[]
  /** The new link and its URL. The page shows the URL once, directly after the member has created the link. */
  readonly created: { readonly link: CustomerLink; readonly url: string } | null
  readonly url: string
  readonly mayCreate: boolean
  readonly mayEmail: boolean
  readonly formKey: string
}
