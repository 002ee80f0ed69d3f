import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import type { ChargeNoticeEmail } from '../../modules/emails/rules/email.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import {
  nextRenewalAt,
  noticeKindsOf,
  type Subscription,
  scheduledTerms,
} from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { agreedSubscription, recipientOf } from './recipients.ts'

/**
 * The task before a trial's end, a long period's, or a direct debit: emails what will be charged, and when. Does nothing if the
 * subscription was canceled, if the charge has another moment by now, or if nothing will be charged.
 */
export async function sendChargeNotice(
  tenant: TaskContext,
  { subscriptionId, endsAt, kind }: z.infer<typeof chargeNotice.data>,
): Promise<void> {
  await transact(tenant, async (tx) => {
    const subscription = await lockSubscription(tx.sql, tenant, subscriptionId)
    const due = subscription && nextRenewalAt(subscription)
    if (!due || toWire(due) !== endsAt || !noticeKindsOf(subscription).includes(kind)) return
    const noticed = noticedCharge(subscription, tx)
    if (!noticed) return
    const { to, locale, common, portalUrl } = await recipientOf(tx, subscription)
    await enqueueEmail(tx, { to, locale, subscriptionId, content: { ...common, portalUrl, kind, ...noticed } })
  })
}

/** What an email says of the next charge, and of the terms that begin with it. Null if nothing will be charged. */
export function noticedCharge(
  subscription: Subscription,
  tx: Pick<Transaction, 'now' | 'testmode'>,
): Pick<ChargeNoticeEmail, 'subscription' | 'nextCharge' | 'from'> | null {
  const { scheduledUpdate } = subscription
  const agreed = agreedSubscription(subscription, tx)
  const { nextCharge } = agreed
  if (!nextCharge) return null
  if (!scheduledUpdate) return { subscription: agreed, nextCharge }
  const updated = { ...subscription, ...scheduledTerms(subscription, scheduledUpdate), scheduledUpdate: null }
  return { subscription: agreed, nextCharge, from: { ...agreedSubscription(updated, tx), nextCharge } }
}
