import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { transact } from '../../modules/events/transact.ts'
import { nextRenewalAt, noticeKindsOf } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { chargeNotice } from '../../modules/subscriptions/tasks.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { announceCharge, announceDebit } from './announce-charge.ts'

/**
 * Announces the next charge by email, even if a recovery may delay the charge. Exception: the receipt for the recovered
 * payment announces a direct debit that the recovery may delay.
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
