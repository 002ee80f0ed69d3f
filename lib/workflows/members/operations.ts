import { canonicalEmail } from '../../kernel/email.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import * as store from '../../modules/operators/members.ts'
import { type Role, roles } from '../../modules/operators/rules/access.ts'
import { expiryOf, isOpen, keepsOwner, mayInvite } from '../../modules/operators/rules/invitation.ts'
import { findOperator, lockOperator } from '../../modules/operators/store.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { invitationPath } from './link.ts'

interface Merchant {
  readonly id: string
  readonly name: string
}

/** A role as a form sends it. Refuses any other text. */
export function roleOf(text: string): Role {
  const role = roles.find((each) => each === text)
  if (!role) throw invalid('role', `Must be one of ${roles.join(', ')}.`)
  return role
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
export function invite(
  call: RequestContext,
  { merchant, email, role, by }: { merchant: Merchant; email: string; role: Role; by: { id: string; name: string } },
): Promise<{ invitationId: string; role: Role }> {
  const to = canonicalEmail(email)
  if (to === null) throw invalid('email', 'Must be an e-mail address.')
  return transact({ ...call, testmode: false }, async (tx) => {
    const { sql } = tx
    await store.lockMerchant(sql, merchant.id)
    const known = await findOperator(sql, { email: to })
    if (known)
      throw invalid(
        'email',
        known.membership?.merchantId === merchant.id ? 'Is a member already.' : 'This address cannot be invited.',
      )
    const now = realNow()
    if (!mayInvite(await store.newestInvitations(sql, merchant.id), now))
      throw invalid('email', 'Too many people were invited within a day. Try again tomorrow.')
    await store.withdrawInvitations(sql, { merchantId: merchant.id, email: to }, now)
    const { secret, hash } = newSecret()
    const invitation = {
      ...{ id: tx.newId('invitation_'), merchantId: merchant.id, email: to, role, invitedBy: by.id },
      ...{ createdAt: now, expiresAt: expiryOf(now) },
    }
    await store.insertInvitation(sql, invitation, hash)
    const { name, addressLines, country } = sellerView(config().seller)
    await enqueueEmail(tx, {
      to,
      locale: 'en',
      mail: {
        kind: 'member_invitation',
        ...{ invitedBy: by.name, url: pageUrl(invitationPath(secret)) },
        ...{ storefrontName: merchant.name, seller: { name, addressLines, country }, customerName: null },
      },
    })
    return { invitationId: invitation.id, role }
  })
}

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

/** Gives a member another role. Refuses `not_found`, and `validation_failed` where no owner would be left. */
export const changeRole = (call: RequestContext, { role, ...of }: OfMember & { role: Role }) =>
  transact(call, async (tx) => {
    const { role: from } = await lockMember(tx, of, role)
    await store.saveRole(tx.sql, of.id, role)
    return { from, to: role }
  })

/**
 * Removes a member: their sessions end, and the invitations that they made are withdrawn. Refuses as `changeRole`.
 */
export const removeMember = (call: RequestContext, of: OfMember) =>
  transact(call, async (tx) => {
    const { role } = await lockMember(tx, of, null)
    await store.withdrawInvitations(tx.sql, { merchantId: of.merchantId, invitedBy: of.id }, realNow())
    await store.deleteMember(tx.sql, of.id)
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
