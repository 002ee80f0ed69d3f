import type { FailureReason } from '../checkouts/page.ts'
import { payOrder } from '../orders/pay.ts'
import { orderResource } from '../orders/resource.ts'
import type { Order } from '../orders/rules/order.ts'
import { findOrder } from '../orders/store.ts'
import { hear, type News } from '../payments/hear.ts'
import { paymentStates } from '../payments/rules/state.ts'
import * as payments from '../payments/store.ts'
import { failpoint } from '../platform/failpoint.ts'
import type { Work } from '../platform/transact.ts'
import { chargeFailed, chargePaid } from '../recovery/follow.ts'
import type { Subscription } from './rules/index.ts'
import { lockSubscription } from './store.ts'

export interface Charge {
  readonly payment: payments.Payment
  readonly order: Order
  readonly subscription: Subscription
}

/** An order of a subscription, which is locked: whatever else acts on either waits. Null when it is no such order of this scope. */
export async function lockOrder(
  { sql, ...scope }: Work,
  orderId: string,
): Promise<Pick<Charge, 'order' | 'subscription'> | null> {
  const before = await findOrder(sql, scope, orderId)
  if (!before?.subscriptionId) return null
  const subscription = await lockSubscription(sql, scope, before.subscriptionId)
  // As it is once whoever held the lock is done.
  const order = subscription && (await findOrder(sql, scope, orderId))
  return order && { order, subscription }
}

/** A payment on a mandate with what it pays, the subscription locked. Null when it is no such payment of this scope. */
export async function lockCharge(work: Work, paymentId: string): Promise<Charge | null> {
  const before = await payments.findPayment(work.sql, work, paymentId)
  const locked = before && (await lockOrder(work, before.orderId))
  const payment = locked && (await payments.findPayment(work.sql, work, paymentId))
  return payment && { payment, ...locked }
}

/**
 * What a provider says of a charge takes effect, once: an outcome that was acted on is not acted on again. Anything but paid is
 * a failed charge. `simulated`: a test helper made the provider say it.
 */
export async function settle(work: Work, charge: Charge, news: News, { simulated = false } = {}): Promise<void> {
  const { payment } = charge
  failpoint('charge.locked')
  const outcome = hear(payment, news, work.now)
  if (!outcome) return
  const { status, failureReason } = outcome
  await payments.savePayment(work.sql, outcome)
  failpoint('charge.recorded')
  if (status === 'pending') return
  if (status === 'paid') return paid(work, charge)
  await failed(work, charge, { reason: failureReason ?? 'general_failure', simulated })
}

/** A test helper decides: as `settle`, for a payment that no provider knows of. */
export async function settleSimulated(
  work: Work,
  charge: Charge,
  outcome: { paymentStatus: 'paid' | 'failed'; failureReason: FailureReason | null },
): Promise<void> {
  const { payment } = charge
  const status = paymentStates.on(payment.status, outcome.paymentStatus === 'paid' ? 'pay' : 'fail', 'payment_finished')
  const { failureReason } = outcome
  await payments.savePayment(work.sql, { ...payment, status, failureReason, finishedAt: work.now })
  if (status === 'paid') return paid(work, charge)
  await failed(work, charge, { reason: failureReason ?? 'general_failure', simulated: true })
}

/**
 * A charge that was decided on while there is no payment method, since nothing was ever to be charged: it has failed before it began,
 * and the recovery asks the buyer for one.
 */
export async function failWithoutMandate(work: Work, subscription: Subscription, order: Order): Promise<void> {
  if (order.status !== 'pending' || subscription.mandate !== null) return
  await chargeFailed(work, { subscription, order }, { reason: 'invalid_mandate', simulated: false, mandateId: null })
}

async function paid(work: Work, { payment, order, subscription }: Charge): Promise<void> {
  const paidOrder = await payOrder(work, order, payment.method)
  failpoint('charge.order_paid')
  await work.emit({ name: 'order.paid', object: orderResource(paidOrder) })
  failpoint('charge.told')
  await chargePaid(work, { subscription, order: paidOrder })
}

const failed = (
  work: Work,
  { payment, order, subscription }: Charge,
  { reason, simulated }: { reason: FailureReason; simulated: boolean },
) => chargeFailed(work, { subscription, order }, { reason, simulated, mandateId: payment.mandateId })
