import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { AuditRow } from '../audit/page.ts'
import { type Role, roles } from './rules/access.ts'
import type { Age } from './rules/age.ts'

/** Items of one kind that wait for a decision of staff. */
export interface InboxRow {
  readonly kind: 'review' | 'dispute' | 'payout' | 'bankFile' | 'threshold' | 'difference' | 'invariant' | 'job'
  readonly name: string | null
  /** The number of items, at most 100. */
  readonly count: number
  readonly amount: Amount | null
  readonly storefront: string | null
  /** ISO 8601 in UTC; null if unknown. */
  readonly since: string | null
  readonly age: Age | null
  readonly url: string
}

export interface InboxPage {
  readonly rows: readonly InboxRow[]
  /** Lists with more items than the inbox shows. `count` is at most 100. */
  readonly more: readonly { readonly kind: 'review' | 'dispute'; readonly count: number; readonly url: string }[]
  readonly entries: readonly AuditRow[]
}

export interface PeoplePage {
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  readonly people: readonly PersonRow[]
}

export interface PersonRow {
  readonly id: string
  readonly email: string
  readonly createdAt: string
  readonly hasSecondFactor: boolean
  readonly openSessions: number
  readonly lastUsedAt: string | null
  readonly isSelf: boolean
}

export const memberRoles = roles

export type SecondFactorPage =
  | {
      kind: 'code'
      /** False if the secret of the authenticator app cannot be decrypted, because the encryption key is lost. */
      isReadable: boolean
    }
  | {
      kind: 'set_up'
      /** A QR code as SVG. */
      picture: string
      /** The secret is in base32. */
      secret: string
      /** The page shows the recovery codes until the second factor is confirmed. */
      recoveryCodes: string[]
    }

/** Times are ISO 8601 in UTC. */
export interface SessionsPage {
  language: Locale
  sessions: {
    id: string
    address: string
    browser: string
    createdAt: string
    lastUsedAt: string
    isThis: boolean
  }[]
}

export interface PasskeyRow {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface AddPasskeyPage {
  /** PublicKeyCredentialCreationOptionsJSON of the Web Authentication API. */
  options: object
  problem: 'many' | null
}

/** Times are ISO 8601 in UTC. */
export interface MembersPage {
  /** Absent if the reader's role does not permit exports. */
  readonly exportUrl?: string
  readonly merchant: string
  readonly members: readonly MemberRow[]
  readonly invitations: readonly InvitationRow[]
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface MemberRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly hasSecondFactor: boolean
  readonly isSelf: boolean
}

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly expiresAt: string
  readonly isExpired: boolean
}

export type InvitationPage =
  | { readonly state: 'open'; readonly merchant: string; readonly email: string; readonly role: Role }
  /** An account with this email address exists. Only the invited person sees this state. */
  | { readonly state: 'taken'; readonly merchant: string; readonly email: string }
  | { readonly state: 'over' }

export type PasswordPage = { readonly state: 'open'; readonly email: string } | { readonly state: 'over' }
