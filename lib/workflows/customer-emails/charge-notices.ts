import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { transact } from '../../modules/events/transact.ts'
import { nextRenewalAt, noticeKindsOf } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { announceCharge, announceDebit } from './announce-charge.ts'

/**
 * The task before the end of a trial, a renewal after a long period, or a direct debit. Emails the amount and the date
 * of the charge. Does nothing if the subscription was canceled, if the charge moved, or if nothing will be charged. A
 * debit that an open recovery may delay is announced by the recovery's receipt instead. A renewal after a year is
 * always announced.
 */
export async function sendChargeNotice(
  tenant: TaskContext,
  { subscriptionId, endsAt, kind }: z.infer<typeof chargeNotice.data>,
): Promise<void> {
  await transact(tenant, async (tx) => {
    const subscription = await lockSubscription(tx.sql, tenant, subscriptionId)
    const due = subscription && nextRenewalAt(subscription)
    if (!due || toWire(due) !== endsAt || !noticeKindsOf(subscription).includes(kind)) return
    if (kind === 'debit_notice') await announceDebit(tx, subscription)
    else await announceCharge(tx, subscription, kind)
  })
}
