import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { NoticeKind, Subscription } from '../../modules/subscriptions/rules/index.ts'
import { isHeldBack } from './held-back.ts'
import { noticedCharge, recipientOf } from './recipients.ts'

/** Sends nothing if nothing will be charged, or if the receipt of an open recovery will announce the debit. */
export async function announceDebit(tx: Transaction, subscription: Subscription): Promise<void> {
  if (!(await isHeldBack(tx, subscription))) await announceCharge(tx, subscription, 'debit_notice')
}

/** Call it with the subscription locked. Sends nothing if nothing will be charged. */
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
