import type { FailureReason } from '../../modules/checkouts/page.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder } from '../../modules/orders/store.ts'
import { type AppliedUpdate, applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as payments from '../../modules/payments/store.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import type { Transaction } from '../../platform/jobs/transact.ts'
import { payOrder } from '../invoicing/pay-orders.ts'
import { chargeFailed, chargePaid } from '../recovery/charge-outcome.ts'

export interface Charge {
  readonly payment: payments.Payment
  readonly order: Order
  readonly subscription: Subscription
}

/**
 * An order of a subscription, with the subscription locked, so that all other changes of either wait. Null if this
 * tenant has no such order.
 */
export async function lockOrder(
  { sql, ...tenant }: Transaction,
  orderId: string,
): Promise<Pick<Charge, 'order' | 'subscription'> | null> {
  const before = await findOrder(sql, tenant, orderId)
  if (!before?.subscriptionId) return null
  const subscription = await lockSubscription(sql, tenant, before.subscriptionId)
  // Read again: the previous holder of the lock may have changed it.
  const order = subscription && (await findOrder(sql, tenant, orderId))
  return order && { order, subscription }
}

/** A payment on a mandate with its order, the subscription locked. Null if this tenant has no such payment. */
export async function lockCharge(tx: Transaction, paymentId: string): Promise<Charge | null> {
  const before = await payments.findPayment(tx.sql, tx, paymentId)
  const locked = before && (await lockOrder(tx, before.orderId))
  const payment = locked && (await payments.findPayment(tx.sql, tx, paymentId))
  return payment && { payment, ...locked }
}

/**
 * Applies a provider's update to a charge, once: an outcome that was acted on is not acted on again. Any outcome but
 * paid is a failed charge. `simulated`: a test helper made the provider send it.
 */
export async function settle(
  tx: Transaction,
  charge: Charge,
  update: AppliedUpdate,
  { simulated = false } = {},
): Promise<void> {
  const { payment } = charge
  failpoint('charge.locked')
  const outcome = applyProviderUpdate(payment, update, tx.now)
  if (!outcome) return
  const { status, failureReason } = outcome
  await payments.savePayment(tx.sql, outcome)
  failpoint('charge.recorded')
  if (status === 'pending') return
  if (status === 'paid') return paid(tx, charge)
  await failed(tx, charge, { reason: failureReason ?? 'general_failure', simulated })
}

/** A test helper decides the outcome: as `settle`, for a payment that no provider knows of. */
export async function settleSimulated(
  tx: Transaction,
  charge: Charge,
  outcome: { paymentStatus: 'paid' | 'failed'; failureReason: FailureReason | null },
): Promise<void> {
  const { payment } = charge
  const status = paymentStates.on(payment.status, outcome.paymentStatus === 'paid' ? 'pay' : 'fail', 'payment_finished')
  const { failureReason } = outcome
  await payments.savePayment(tx.sql, { ...payment, status, failureReason, finishedAt: tx.now })
  if (status === 'paid') return paid(tx, charge)
  await failed(tx, charge, { reason: failureReason ?? 'general_failure', simulated: true })
}

/**
 * A charge that was due while there is no payment method, since nothing was ever to be charged. It fails at once, and
 * the recovery asks the buyer for a method.
 */
export async function failWithoutMandate(tx: Transaction, subscription: Subscription, order: Order): Promise<void> {
  if (order.status !== 'pending' || subscription.mandate !== null) return
  await chargeFailed(tx, { subscription, order }, { reason: 'invalid_mandate', simulated: false, mandateId: null })
}

async function paid(tx: Transaction, { payment, order, subscription }: Charge): Promise<void> {
  const paidOrder = await payOrder(tx, order, payment.method)
  failpoint('charge.order_paid')
  await tx.emit({ name: 'order.paid', object: orderResource(paidOrder) })
  failpoint('charge.notified')
  await chargePaid(tx, { subscription, order: paidOrder })
}

const failed = (
  tx: Transaction,
  { payment, order, subscription }: Charge,
  { reason, simulated }: { reason: FailureReason; simulated: boolean },
) => chargeFailed(tx, { subscription, order }, { reason, simulated, mandateId: payment.mandateId })
