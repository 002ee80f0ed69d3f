import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { NoticeKind, Subscription } from '../../modules/subscriptions/rules/index.ts'
import { isHeldBack } from './held-back.ts'
import { noticedCharge, recipientOf } from './recipients.ts'

/**
 * Announces the debit of the next charge by email. Sends no email if nothing will be charged. Sends no email either if
 * an open recovery may delay the debit, because the receipt for the recovered payment announces the debit.
 */
export async function announceDebit(tx: Transaction, subscription: Subscription): Promise<void> {
  if (!(await isHeldBack(tx, subscription))) await announceCharge(tx, subscription, 'debit_notice')
}

/**
 * Announces the next charge by email. Sends no email if nothing will be charged. The caller holds the lock of the
 * subscription.
 */
export async function announceCharge(tx: Transaction, subscription: Subscription, kind: NoticeKind): Promise<void> {
  const noticed = noticedCharge(subscription, tx)
  if (!noticed) return
  const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
  await enqueueEmail(tx, {
    to,
    locale,
    subscriptionId: subscription.id,
    content: { ...common, portalUrl, kind, ...noticed },
  })
}
