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

/** Emails that former owners also get within the cooling time, because a thief of a session removes the owners first. */
const forFormerOwners: readonly MemberNotice['kind'][] = ['access_changed', 'payout_account_changed']

/**
 * Emails the members of a storefront's merchant whose role gets this kind, in the transaction of its cause. `page` is
 * the page of the thing, below the storefront's in the admin area. A merchant without members gets nothing. Each is
 * written to in their own language. `but`: an address that gets another email instead.
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
