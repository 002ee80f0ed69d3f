import { type Locale, locales } from '../../kernel/locale.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import * as store from '../../modules/operators/members.ts'
import { may, type Role, roles } from '../../modules/operators/rules/access.ts'
import { isOpen, keepsOwner } from '../../modules/operators/rules/invitation.ts'
import { deleteOperator, lockOperator } from '../../modules/operators/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { type Invited, inviteIn } from './invite.ts'

/** A role as a form sends it. Refuses any other text. */
export function roleOf(text: string): Role {
  const role = roles.find((each) => each === text)
  if (!role) throw invalid('role', `Must be one of ${roles.join(', ')}.`)
  return role
}

/** A language as a form sends it. Refuses any other text. */
export function languageOf(text: string): Locale {
  const locale = locales.find((each) => each === text)
  if (!locale) throw invalid('language', `Must be one of ${locales.join(', ')}.`)
  return locale
}

/** The members of a merchant, and the invitations that wait, with whether each can still be accepted. */
export async function listMembers(merchantId: string) {
  const now = realNow()
  const pending = await store.pendingInvitations(db(), merchantId)
  return {
    members: await store.membersOf(db(), merchantId),
    invitations: pending.map((each) => ({ ...each, isExpired: !isOpen(each, now) })),
  }
}

/**
 * Emails a link with which its reader becomes a member. An earlier invitation to the address is withdrawn. Refuses
 * `validation_failed` on an invalid address, on one that has a log-in, and on more invitations than a day's.
 */
export const invite = (call: RequestContext, invited: Invited): Promise<{ invitationId: string; role: Role }> =>
  transact({ ...call, testmode: false }, (tx) => inviteIn(tx, invited))

/** Withdraws an invitation. Refuses `not_found` where there is none that waits. */
export const withdraw = (call: RequestContext, { merchantId, id }: { merchantId: string; id: string }) =>
  transact(call, async ({ sql }) => {
    if ((await store.withdrawInvitations(sql, { merchantId, id }, realNow())) === 0) throw new Refusal('not_found')
    return { invitationId: id }
  })

interface OfMember {
  readonly merchantId: string
  readonly id: string
}

/**
 * Gives a member another role. The invitations that they made are withdrawn where the role may make none: by one they could come back
 * as what they were. Refuses `not_found`, and `validation_failed` where no owner would be left.
 */
export const changeRole = (call: RequestContext, { role, ...of }: OfMember & { role: Role }) =>
  transact(call, async (tx) => {
    const { role: from } = await lockMember(tx, of, role)
    await store.saveRole(tx.sql, of.id, role)
    if (!may(role, 'members.change')) await store.withdrawInvitationsBy(tx.sql, of.id, realNow())
    return { from, to: role }
  })

/**
 * Removes a member: their sessions end, and the invitations that they made are withdrawn. Refuses as `changeRole`.
 */
export const removeMember = (call: RequestContext, of: OfMember) =>
  transact(call, async (tx) => {
    const { role } = await lockMember(tx, of, null)
    await store.withdrawInvitationsBy(tx.sql, of.id, realNow())
    await deleteOperator(tx.sql, of.id)
    return { role }
  })

async function lockMember({ sql }: Transaction, { merchantId, id }: OfMember, next: Role | null) {
  await store.lockMerchant(sql, merchantId)
  const members = await store.membersOf(sql, merchantId)
  const member = members.find((each) => each.id === id)
  if (!member || !(await lockOperator(sql, id))) throw new Refusal('not_found')
  if (!keepsOwner(members, id, next)) throw invalid('member', 'A merchant keeps at least one owner.')
  return member
}
