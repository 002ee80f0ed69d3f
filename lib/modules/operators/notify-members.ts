import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { storefrontOwner } from '../accounts/store.ts'
import { enqueueEmails } from '../emails/enqueue.ts'
import type { MemberNotice } from '../emails/rules/email.ts'
import type { Transaction } from '../events/transact.ts'
import { sellerInEmail } from '../orders/seller-view.ts'
import { notified } from './rules/notified.ts'
import { membersByRole } from './store.ts'

/**
 * Emails the members of a storefront's merchant whose role gets this kind, in the transaction of its cause. `page` is
 * the page of the thing, below the storefront's in the admin area. A merchant without members gets nothing. Each is
 * written to in their own language.
 */
export async function notifyMembers(tx: Transaction, notice: MemberNotice, page: string): Promise<void> {
  const { sql, storefrontId, testmode } = tx
  const members = await membersByRole(sql, storefrontId, notified[notice.kind])
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
    members.map((member) => ({ ...member, content })),
  )
}
