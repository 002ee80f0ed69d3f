import type { Locale } from '../../kernel/locale.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { announceAccess } from '../../modules/operators/announce.ts'
import * as store from '../../modules/operators/members.ts'
import type { Role } from '../../modules/operators/rules/access.ts'
import { expiryOf, logInEmail, mayInvite } from '../../modules/operators/rules/invitation.ts'
import { sellerInEmail } from '../../modules/orders/seller-view.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { newSecret } from '../../platform/http/browser-secret.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { invitationPath } from './link.ts'

interface Merchant {
  readonly id: string
  readonly name: string
}

export interface Invited {
  readonly merchant: Merchant
  readonly email: string
  readonly role: Role
  readonly locale: Locale
  readonly by: { readonly id: string; readonly name: string }
  /** The admin action that sends the invitation. The table of admin actions says who is emailed about this action. */
  readonly action: 'member.invite' | 'storefront.create'
}

const isMember = ruleProblem('member_exists')

/** Refuses an invitation that `inviteIn` would refuse later. Call this function before a second-factor code is used up. */
export async function checkInvitation(sql: Sql, merchantId: string, email: string): Promise<void> {
  const to = logInEmail(email)
  if ((await store.membersOf(sql, merchantId)).some((each) => each.email === to)) throw invalid('email', isMember)
  if (!mayInvite(await store.newestInvitations(sql, merchantId), realNow()))
    throw invalid('email', ruleProblem('invitations_per_day'))
}

export async function inviteIn(tx: Transaction, { merchant, email, role, locale, by, action }: Invited) {
  const { sql } = tx
  const to = logInEmail(email)
  await store.lockMerchant(sql, merchant.id)
  await checkInvitation(sql, merchant.id, to)
  const now = realNow()
  await store.withdrawInvitations(sql, { merchantId: merchant.id, email: to }, now)
  const { secret, hash } = newSecret()
  const invitation = {
    id: tx.newId('invitation_'),
    merchantId: merchant.id,
    email: to,
    role,
    locale,
    invitedBy: by.id,
    createdAt: now,
    expiresAt: expiryOf(now),
  }
  await store.insertInvitation(sql, invitation, hash)
  await enqueueEmail(tx, {
    to,
    locale,
    content: {
      kind: 'member_invitation',
      invitedBy: by.name,
      url: pageUrl(invitationPath(secret)),
      storefrontName: merchant.name,
      seller: sellerInEmail(config().seller),
      customerId: null,
      customerName: null,
    },
  })
  await announceAccess(tx, {
    action,
    actor: by,
    page: '/members',
    change: { of: 'invited', email: to, role },
  })
  return { invitationId: invitation.id, role }
}
