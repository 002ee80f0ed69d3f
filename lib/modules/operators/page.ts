import type { Locale } from '../../kernel/locale.ts'
import { type Role, roles } from './rules/access.ts'

/** The roles that a member can be given. */
export const memberRoles = roles

/** The second half of a log-in. */
export type SecondFactorPage =
  | {
      kind: 'code'
      /** Whether codes of the app can be checked. If not, the key that its secret was sealed with is lost. */
      isReadable: boolean
    }
  | {
      kind: 'set_up'
      /** A picture for an authenticator app, as SVG. */
      picture: string
      /** The same, to type, in base32. */
      secret: string
      /** Shown here and never again. */
      recoveryCodes: string[]
    }

/** Where an operator is logged in. Moments are ISO 8601 in UTC. */
export interface SessionsPage {
  /** Of the emails to the operator who looks. */
  language: Locale
  sessions: {
    id: string
    address: string
    browser: string
    createdAt: string
    lastUsedAt: string
    /** The session that looks. */
    isThis: boolean
  }[]
}

/** A passkey of the operator who looks. Moments are ISO 8601 in UTC. */
export interface PasskeyRow {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** Where a passkey is added. */
export interface AddPasskeyPage {
  /** PublicKeyCredentialCreationOptionsJSON of the Web Authentication API. */
  options: object
  /** `many`: the operator has as many as there may be. */
  problem: 'many' | null
}

/** The members of a merchant, and who was invited. Moments are ISO 8601 in UTC. */
export interface MembersPage {
  /** Where a form gets the members as a file. */
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
  /** The person who looks. */
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
