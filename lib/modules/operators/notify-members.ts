import type { Locale } from '../../kernel/locale.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { storefrontOwner } from '../accounts/store.ts'
import { enqueueEmails } from '../emails/enqueue.ts'
import type { MemberNotice } from '../emails/rules/email.ts'
import type { Transaction } from '../events/transact.ts'
import { sellerInEmail } from '../orders/seller-view.ts'
import { formerOwnersOf } from './members.ts'
import { notified } from './rules/notified.ts'
import { membersByRole } from './store.ts'

/**
 * A person who steals an owner's session would first remove the other owners. Former owners therefore get these emails during the waiting time of changed bank
 * details.
 */
const forFormerOwners: readonly MemberNotice['kind'][] = ['access_changed', 'payout_account_changed']

/**
 * Enqueues an email in `tx` to each member whose role gets this kind of email, in the member's language. Former owners get the kinds in
 * `forFormerOwners`. `page` is relative to the storefront's page in the
 * admin area. `but` is an email address that is left out because it gets a different email.
 */
export async function notifyMembers(tx: Transaction, notice: MemberNotice, page: string, but?: string): Promise<void> {
  const { sql, storefrontId, testmode } = tx
  const current = await membersByRole(sql, storefrontId, notified[notice.kind])
  const former = forFormerOwners.includes(notice.kind) ? await formerOwnersOf(sql, storefrontId) : []
  const members: readonly { to: string; locale: Locale; ownerUntil?: string }[] = [
    ...current,
    ...former.filter(({ to }) => current.every((each) => each.to !== to)),
  ].filter(({ to }) => to !== but)
  if (members.length === 0) return
  const { storefront: storefrontName } = await storefrontOwner(sql, storefrontId)
  const content = {
    ...notice,
    storefrontName,
    seller: sellerInEmail(config().seller),
    customerId: null,
    customerName: null,
    adminUrl: pageUrl(`/admin/${testmode ? 'test' : 'live'}/${storefrontId}${page}`),
  }
  await enqueueEmails(
    tx,
    members.map(({ to, locale, ownerUntil }) => ({
      to,
      locale,
      content: { ...content, ...(ownerUntil !== undefined && { ownerUntil }) },
    })),
  )
}
