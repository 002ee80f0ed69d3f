import type { Order } from '../../modules/orders/rules/order.ts'
import type { Payment } from '../../modules/payments/store.ts'
import { writePeriods } from '../../modules/subscriptions/periods.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { type Billed, renew, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { saveSubscription } from '../../modules/subscriptions/store.ts'
import { setTimer } from '../../modules/subscriptions/timer.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import type { Transaction } from '../../platform/jobs/transact.ts'
import { failWithoutMandate } from '../collection/settle.ts'
import { bill } from '../invoicing/bill.ts'

/**
 * Bills the next period of a locked subscription, in the caller's transaction: applies the scheduled update, moves the
 * period, and creates the order and its pending charge. `simulated`: a test helper decides the outcome of the charge.
 */
export async function renewSubscription(
  tx: Transaction,
  subscription: Subscription,
  { due, simulated }: { due: Date; simulated: boolean },
): Promise<{ next: Subscription; order: Order; payment: Payment | null }> {
  failpoint('renewal.locked')
  const { next, lines, reason } = renew(subscription, { due, now: tx.now })
  await saveSubscription(tx.sql, next)
  failpoint('renewal.saved')
  await tx.emit({ name: 'subscription.updated', reason, object: subscriptionResource(next) })
  failpoint('renewal.notified')
  return { next, ...(await billPeriod(tx, { next, lines }, { simulated })) }
}

/** Creates the order of a period that begins, and the timer for the period's end. */
export async function billPeriod(
  tx: Transaction,
  { next, lines }: Billed,
  options: { simulated?: boolean } = {},
): Promise<{ order: Order; payment: Payment | null }> {
  const billed = await bill(tx, next, lines, options)
  await writePeriods(tx, [{ subscription: next, orderId: billed.order.id }])
  failpoint('renewal.period_written')
  await setTimer(tx, next)
  failpoint('renewal.timer_set')
  // A simulated renewal waits for the test helper's outcome.
  if (!options.simulated) await failWithoutMandate(tx, next, billed.order)
  return billed
}
