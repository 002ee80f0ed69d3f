import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { AuditRow } from '../audit/page.ts'
import { type Role, roles } from './rules/access.ts'
import type { Age } from './rules/age.ts'

/** An item that needs a decision by staff. */
export interface InboxRow {
  readonly kind: 'review' | 'dispute' | 'payout' | 'bankFile' | 'threshold' | 'difference' | 'invariant' | 'job'
  readonly name: string | null
  /** The number of items in the row, at most 100. */
  readonly count: number
  readonly amount: Amount | null
  readonly storefront: string | null
  /** ISO 8601 in UTC; null if it is not known. */
  readonly since: string | null
  readonly age: Age | null
  /** The page on which to act. */
  readonly url: string
}

/** The items that need a decision, oldest first. */
export interface InboxPage {
  readonly rows: readonly InboxRow[]
  /** The lists with more items than the inbox shows, each with its number of items, at most 100. */
  readonly more: readonly { readonly kind: 'review' | 'dispute'; readonly count: number; readonly url: string }[]
  /** The latest entries of the audit log. */
  readonly entries: readonly AuditRow[]
}

/** The people of the service's own staff. Times are ISO 8601 in UTC. */
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

/** The roles that a member can be given. */
export const memberRoles = roles

/** The second half of a log-in. */
export type SecondFactorPage =
  | {
      kind: 'code'
      /** Whether codes of the app can be checked. False if the key that encrypted the app's secret is lost. */
      isReadable: boolean
    }
  | {
      kind: 'set_up'
      /** The QR code for an authenticator app, as SVG. */
      picture: string
      /** The secret to type instead of the QR code, in base32. */
      secret: string
      /** Shown here and never again. */
      recoveryCodes: string[]
    }

/** The open sessions of an operator. Times are ISO 8601 in UTC. */
export interface SessionsPage {
  /** The language of emails to the signed-in operator. */
  language: Locale
  sessions: {
    id: string
    address: string
    browser: string
    createdAt: string
    lastUsedAt: string
    /** Whether this session displays the page. */
    isThis: boolean
  }[]
}

/** A passkey of the signed-in operator. Times are ISO 8601 in UTC. */
export interface PasskeyRow {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface AddPasskeyPage {
  /** PublicKeyCredentialCreationOptionsJSON of the Web Authentication API. */
  options: object
  /** `many`: the operator has the maximum number of passkeys. */
  problem: 'many' | null
}

/** The members of a merchant, and the invited people. Times are ISO 8601 in UTC. */
export interface MembersPage {
  /** The target of the form that downloads the members as a file. */
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
  /** Whether this member is the signed-in person. */
  readonly isSelf: boolean
}

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly expiresAt: string
  readonly isExpired: boolean
}

/** The page behind the link of an invitation. */
export type InvitationPage =
  | { readonly state: 'open'; readonly merchant: string; readonly email: string; readonly role: Role }
  /** The invited person already has an account with this address elsewhere. The inviting person does not see this. */
  | { readonly state: 'taken'; readonly merchant: string; readonly email: string }
  | { readonly state: 'over' }

/** The page behind the link of a password reset. */
export type PasswordPage = { readonly state: 'open'; readonly email: string } | { readonly state: 'over' }
