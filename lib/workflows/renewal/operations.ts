import { toWire } from '../../kernel/moment.ts'
import * as payments from '../../modules/payments/store.ts'
import { openRecoveries } from '../../modules/recovery/store.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import * as rules from '../../modules/subscriptions/rules/index.ts'
import * as store from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { transact } from '../../platform/jobs/transact.ts'
import { chargeAtProvider } from '../collection/charge-at-provider.ts'
import { lockCharge, settle } from '../collection/settle.ts'
import { writeOffOutstanding } from '../recovery/charge-outcome.ts'
import { renewSubscription } from './renew.ts'

/**
 * The task at the end of the paid period: the next period is billed, or the grace period lapses. While a payment is
 * being recovered the next period waits; the end of the recovery sets the timer again.
 */
export async function endPeriod(
  tenant: TaskContext,
  { subscriptionId, endsAt }: { subscriptionId: string; endsAt: string },
): Promise<void> {
  await transact(tenant, async (tx) => {
    const subscription = await store.lockSubscription(tx.sql, tenant, subscriptionId)
    const due = subscription?.renewedUntil
    if (!due || toWire(due) !== endsAt) return
    if (tx.now < due) return new Reschedule(due)
    if (subscription.status === 'on_grace_period') {
      const lapsed = rules.lapse(subscription, tx.now)
      await store.saveSubscription(tx.sql, lapsed)
      const name = 'subscription.cancellation_grace_period_completed'
      await writeOffOutstanding(tx, lapsed, 'wait')
      await tx.emit({ name, object: subscriptionResource(lapsed) })
    } else if (rules.nextRenewalAt(subscription) && (await openRecoveries(tx.sql, subscriptionId)).length === 0) {
      await renewSubscription(tx, subscription, { due, simulated: false })
    }
    return
  })
}

/** The task of a pending charge: asks the provider, exactly once in spite of crashes, and applies its answer. */
export async function runCharge(tenant: TaskContext, { paymentId }: { paymentId: string }): Promise<void> {
  const payment = await payments.findPayment(db(), tenant, paymentId)
  failpoint('charge.before_provider')
  const update = payment && (await chargeAtProvider(tenant, [payment])).get(paymentId)
  failpoint('charge.after_provider')
  await transact(tenant, async (tx) => {
    const charge = update && (await lockCharge(tx, paymentId))
    if (charge) await settle(tx, charge, update)
  })
}
