import { canonicalEmail } from '../../../kernel/email.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { ruleProblem } from '../../../kernel/rule-problem.ts'
import type { Role } from './access.ts'

/** Times come from the real clock, not from a test clock. */
export interface Invitation {
  readonly id: string
  readonly merchantId: string
  readonly email: string
  readonly role: Role
  /** The language of the invitation and of later emails to the member. */
  readonly locale: Locale
  /** The id of an operator or member. */
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly acceptedAt: Date | null
  readonly withdrawnAt: Date | null
}

const dayMs = 24 * 60 * 60_000
const validMs = 7 * dayMs
/** An invitation is an email to a stranger, so the number of invitations per merchant and day is limited. */
const mostADay = 50

export const expiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + validMs)

export const isOpen = (
  { acceptedAt, withdrawnAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'withdrawnAt' | 'expiresAt'>,
  now: Date,
): boolean => acceptedAt === null && withdrawnAt === null && now < expiresAt

/**
 * Returns the email address of a new log-in in canonical form. Throws `validation_failed` on `email` if the text is not
 * an address.
 */
export function logInEmail(typed: string): string {
  const email = canonicalEmail(typed)
  if (email === null) throw invalid('email', ruleProblem('email'))
  return email
}

/** `made`: the creation times of earlier invitations. */
export const mayInvite = (made: readonly Date[], now: Date): boolean =>
  made.filter((at) => now.getTime() - at.getTime() < dayMs).length < mostADay

/**
 * Whether the merchant still has an owner after a change. Without an owner, nobody could invite members. `next`: the new role of the member, or null if the
 * member is removed.
 */
export const keepsOwner = (
  members: readonly { readonly id: string; readonly role: Role }[],
  id: string,
  next: Role | null,
): boolean => members.some((member) => (member.id === id ? next : member.role) === 'owner')
