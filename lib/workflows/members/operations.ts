import { type Locale, locales } from '../../kernel/locale.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
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

/** Refuses any other text. */
export function roleOf(text: string): Role {
  const role = roles.find((each) => each === text)
  if (!role) throw invalid('role', `Must be one of ${roles.join(', ')}.`)
  return role
}

/** Refuses any other text. */
export function languageOf(text: string): Locale {
  const locale = locales.find((each) => each === text)
  if (!locale) throw invalid('language', `Must be one of ${locales.join(', ')}.`)
  return locale
}

/** Each open invitation says whether it can still be accepted. */
export async function listMembers(merchantId: string) {
  const now = realNow()
  const pending = await store.pendingInvitations(db(), merchantId)
  return {
    members: await store.membersOf(db(), merchantId),
    invitations: pending.map((each) => ({ ...each, isExpired: !isOpen(each, now) })),
  }
}

/**
 * Withdraws an earlier invitation to the address. Refuses `validation_failed` on an invalid address, an address with a
 * log-in, and more invitations than a day allows.
 */
export const invite = (call: RequestContext, invited: Invited): Promise<{ invitationId: string; role: Role }> =>
  transact({ ...call, testmode: false }, (tx) => inviteIn(tx, invited))

/** Refuses what `changeRole` (or with null `removeMember`) would refuse later, before a code is used up. */
export async function checkMember({ merchantId, id }: OfMember, next: Role | null): Promise<void> {
  const members = await store.membersOf(db(), merchantId)
  if (members.every((each) => each.id !== id)) throw new Refusal('not_found')
  if (!keepsOwner(members, id, next)) throw invalid('member', lastOwner)
}

/** Refuses `not_found` if no open invitation has this id. */
export const withdraw = (call: RequestContext, { merchantId, id }: { merchantId: string; id: string }) =>
  transact(call, async ({ sql }) => {
    if ((await store.withdrawInvitations(sql, { merchantId, id }, realNow())) === 0) throw new Refusal('not_found')
    return { invitationId: id }
  })

const lastOwner = 'A merchant keeps at least one owner.'

interface OfMember {
  readonly merchantId: string
  readonly id: string
}

/**
 * Emails the member and the owners. For a former owner, the cooling time of changed bank details starts again. If the
 * new role may not invite, the member's invitations are withdrawn, because they could return through one. Refuses
 * `not_found`, and `validation_failed` if no owner would be left.
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

/**
 * Ends the sessions, withdraws the invitations, and emails the member and the owners. For a former owner, the cooling
 * time of changed bank details starts again. Refuses like `changeRole`.
 */
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

/** Live mode, because emails of test mode are not sent. */
const inLiveMode = (call: RequestContext): RequestContext => ({ ...call, testmode: false })

/** During the cooling time a former owner still gets the emails to owners, and changed bank details wait. */
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
