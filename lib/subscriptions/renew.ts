import type { Order } from '../orders/rules/order.ts'
import type { Payment } from '../payments/store.ts'
import { failpoint } from '../platform/failpoint.ts'
import type { Transaction } from '../platform/transact.ts'
import { bill } from './bill.ts'
import { writePeriods } from './periods.ts'
import { subscriptionResource } from './resource.ts'
import { type Billed, renew, type Subscription } from './rules/index.ts'
import { failWithoutMandate } from './settle.ts'
import { saveSubscription } from './store.ts'
import { setTimer } from './timer.ts'

/**
 * Bills the next period of a locked subscription, in the caller's transaction: the scheduled update is applied, the period
 * moves, its order is made and the charge intended. `simulated`: a test helper decides the outcome of the charge.
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
  failpoint('renewal.told')
  return { next, ...(await billPeriod(tx, { next, lines }, { simulated })) }
}

/** The order of a period that begins, and the timer for its end. */
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
  // What a test helper decides waits for it.
  if (!options.simulated) await failWithoutMandate(tx, next, billed.order)
  return billed
}
