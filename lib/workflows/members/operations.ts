import { type Locale, locales } from '../../kernel/locale.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { announceAccess, nameOf } from '../../modules/operators/announce.ts'
import * as store from '../../modules/operators/members.ts'
import { may, type Role, roles } from '../../modules/operators/rules/access.ts'
import { isOpen, keepsOwner } from '../../modules/operators/rules/invitation.ts'
import { deleteOperator, lockOperator, type Operator } from '../../modules/operators/store.ts'
import { restartCooling } from '../../modules/payouts/restart-cooling.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { type Invited, inviteIn } from './invite.ts'

export function roleOf(text: string): Role {
  const role = roles.find((each) => each === text)
  if (!role) throw invalid('role', ruleProblem('listed', { values: roles.join(', ') }))
  return role
}

export function languageOf(text: string): Locale {
  const locale = locales.find((each) => each === text)
  if (!locale) throw invalid('language', ruleProblem('listed', { values: locales.join(', ') }))
  return locale
}

export async function listMembers(merchantId: string) {
  const now = realNow()
  const pending = await store.pendingInvitations(db(), merchantId)
  return {
    members: await store.membersOf(db(), merchantId),
    invitations: pending.map((each) => ({ ...each, isExpired: !isOpen(each, now) })),
  }
}

/** Refuses with `validation_failed` if the address is invalid, if the address belongs to a member, or if the daily limit of invitations is reached. */
export const invite = (call: RequestContext, invited: Invited): Promise<{ invitationId: string; role: Role }> =>
  transact({ ...call, testmode: false }, (tx) => inviteIn(tx, invited))

/**
 * Refuses a change that would be refused later by `changeRole`, or by `removeMember` if `next` is null. Call this function before a second-factor code is
 * used up.
 */
export async function checkMember({ merchantId, id }: OfMember, next: Role | null): Promise<void> {
  const members = await store.membersOf(db(), merchantId)
  if (members.every((each) => each.id !== id)) throw new Refusal('not_found')
  if (!keepsOwner(members, id, next)) throw invalid('member', lastOwner)
}

export const withdraw = (call: RequestContext, { merchantId, id }: { merchantId: string; id: string }) =>
  transact(call, async ({ sql }) => {
    if ((await store.withdrawInvitations(sql, { merchantId, id }, realNow())) === 0) throw new Refusal('not_found')
    return { invitationId: id }
  })

const lastOwner = ruleProblem('last_owner')

interface OfMember {
  readonly merchantId: string
  readonly id: string
}

/**
 * Changes a role, and emails the member and the owners. If the new role may not invite, the member's invitations are withdrawn, because the member could
 * accept one to regain the former role. If the member was an owner, the waiting period of changed bank details starts again. Refuses with `not_found`, or with
 * `validation_failed` if no owner would be left.
 */
export const changeRole = (call: RequestContext, { role, ...of }: OfMember & { role: Role }, actor: Person) =>
  transact(inLiveMode(call), async (tx) => {
    const { role: from, operator } = await lockMember(tx, of, role)
    if (from === role) return { from, to: role }
    await store.saveRole(tx.sql, of.id, role)
    if (!may(role, 'members.change')) await store.withdrawInvitationsBy(tx.sql, of.id, realNow())
    await announceAccess(tx, {
      action: 'member.change_role',
      actor,
      page: '/members',
      change: { of: 'role', email: operator.email, from, to: role },
      person: { operator, change: { of: 'role', by: await nameOf(tx, actor), from, to: role } },
      payoutsWaitUntil: from === 'owner' ? await ownerEnds(tx, of.merchantId, operator) : null,
    })
    return { from, to: role }
  })

/** If the member was an owner, the waiting period of changed bank details starts again. Refuses like `changeRole`. */
export const removeMember = (call: RequestContext, of: OfMember, actor: Person) =>
  transact(inLiveMode(call), async (tx) => {
    const { role, operator } = await lockMember(tx, of, null)
    await store.withdrawInvitationsBy(tx.sql, of.id, realNow())
    await announceAccess(tx, {
      action: 'member.remove',
      actor,
      page: '/members',
      change: { of: 'removed', email: operator.email, role },
      person: { operator, change: { of: 'removed', by: await nameOf(tx, actor) } },
      payoutsWaitUntil: role === 'owner' ? await ownerEnds(tx, of.merchantId, operator) : null,
    })
    await deleteOperator(tx.sql, of.id)
    return { role }
  })

type Person = Pick<Actor, 'id'>

/** Changes the call to live mode, because the service sends no emails in test mode. */
const inLiveMode = (call: RequestContext): RequestContext => ({ ...call, testmode: false })

/**
 * Restarts the waiting period of changed bank details, during which a former owner still gets the emails to owners.
 * Returns the end of the waiting period; null if no changed bank details wait in live mode.
 */
async function ownerEnds(tx: Transaction, merchantId: string, { email, locale }: Operator): Promise<Date | null> {
  await store.keepFormerOwner(tx.sql, { merchantId, email, locale }, realNow())
  return restartCooling(tx, merchantId)
}

async function lockMember({ sql }: Transaction, { merchantId, id }: OfMember, next: Role | null) {
  await store.lockMerchant(sql, merchantId)
  const members = await store.membersOf(sql, merchantId)
  const member = members.find((each) => each.id === id)
  const operator = member && (await lockOperator(sql, id))
  if (!member || !operator) throw new Refusal('not_found')
  if (!keepsOwner(members, id, next)) throw invalid('member', lastOwner)
  return { role: member.role, operator }
}
