import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { transact } from '../../modules/events/transact.ts'
import { nextRenewalAt, noticeKindsOf } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { announceCharge, announceDebit } from './announce-charge.ts'

/**
 * Before the end of a trial, a renewal after a long period, or a direct debit. Does nothing if the subscription was
 * canceled, if the charge moved, or if nothing will be charged. The recovery's receipt announces a debit that the
 * recovery may delay. A renewal after a year is always announced.
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
