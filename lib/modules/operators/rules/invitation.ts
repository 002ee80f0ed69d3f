import type { Locale } from '../../../kernel/locale.ts'
import type { Role } from './access.ts'

/** An invitation to become a member of a merchant; all moments are in real time. */
export interface Invitation {
  readonly id: string
  readonly merchantId: string
  readonly email: string
  readonly role: Role
  /** The language of the email, and later of the member. */
  readonly locale: Locale
  /** The id of the operator or member. */
  readonly invitedBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly acceptedAt: Date | null
  readonly withdrawnAt: Date | null
}

const dayMs = 24 * 60 * 60_000
const validMs = 7 * dayMs
/** More than any team needs at once: invitations are emails to strangers. */
const mostADay = 50

/** The time at which a new invitation expires. */
export const expiryOf = (createdAt: Date): Date => new Date(createdAt.getTime() + validMs)

/** Whether an invitation can be accepted. */
export const isOpen = (
  { acceptedAt, withdrawnAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'withdrawnAt' | 'expiresAt'>,
  now: Date,
): boolean => acceptedAt === null && withdrawnAt === null && now < expiresAt

/** Whether a merchant that has made these invitations may make another one. */
export const mayInvite = (made: readonly Date[], now: Date): boolean =>
  made.filter((at) => now.getTime() - at.getTime() < dayMs).length < mostADay

/**
 * Whether a merchant still has an owner after a member gets a new role, or is removed (null). Without an owner, nobody at the
 * merchant could invite members.
 */
export const keepsOwner = (
  members: readonly { readonly id: string; readonly role: Role }[],
  id: string,
  next: Role | null,
): boolean => members.some((member) => (member.id === id ? next : member.role) === 'owner')
