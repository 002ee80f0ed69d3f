import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrder, findOrders } from '../../modules/orders/store.ts'
import { type AppliedUpdate, applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import * as payments from '../../modules/payments/store.ts'
import { nextRenewalAt, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription, lockSubscriptions } from '../../modules/subscriptions/store.ts'
import { savePaymentCountry } from '../../modules/tax/store.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { receiptsOf } from '../customer-emails/receipts.ts'
import { paidEvent, payOrders } from '../invoicing/pay-orders.ts'
import { chargeFailed, chargesPaid } from '../recovery/charge-outcome.ts'
import { lockPurchase, type Purchase, payPurchase, purchaseUnpaid } from '../recovery/purchase.ts'
import { watchPayment } from './watch.ts'
import { notifyOfLatePayments, withoutWithdrawnUnits } from './withdrawn-meanwhile.ts'

export interface Charge {
  readonly payment: payments.Payment
  readonly order: Order
  /** The charged subscription. For a sale, it is the subscription whose payment method is charged. */
  readonly subscription: Subscription
  /** The sale and all subscriptions that it sold; null for the order of one subscription. */
  readonly purchase: Purchase | null
}

/**
 * Locks the subscription of an order. All other changes of the subscription and the order then wait. Returns null if
 * this tenant has no such order, or if the order has no subscription.
 */
export async function lockOrder(
  { sql, ...tenant }: Transaction,
  orderId: string,
): Promise<Pick<Charge, 'order' | 'subscription'> | null> {
  const before = await findOrder(sql, tenant, orderId)
  if (!before?.subscriptionId) return null
  const subscription = await lockSubscription(sql, tenant, before.subscriptionId)
  // The order may have changed before this transaction got the lock, so it is read again.
  const order = subscription && (await findOrder(sql, tenant, orderId))
  return order && { order, subscription }
}

export const lockCharge = async (tx: Transaction, paymentId: string): Promise<Charge | null> =>
  (await lockCharges(tx, [paymentId]))[0] ?? null

/**
 * Locks and returns the charges of the payments. Excludes payments of other tenants. Pass the payment of a sale alone,
 * because `lockPurchase` must lock the checkout before the subscriptions.
 */
export async function lockCharges(tx: Transaction, paymentIds: string[]): Promise<Charge[]> {
  const { sql, ...tenant } = tx
  const orderIds = (await payments.findPayments(sql, tenant, paymentIds)).map(({ orderId }) => orderId)
  const before = await findOrders(sql, tenant, orderIds)
  const [sale] = before.filter(({ checkoutId }) => checkoutId !== null)
  const purchase = sale ? await lockPurchase(tx, sale.id) : null
  const subscriptionIds = before.flatMap(({ subscriptionId }) => subscriptionId ?? [])
  const subscriptions = byId(await lockSubscriptions(sql, tenant, subscriptionIds))
  // The rows may have changed before this transaction got the locks, so they are read again.
  const [ordersNow, paymentsNow] = await Promise.all([
    findOrders(sql, tenant, orderIds),
    payments.findPayments(sql, tenant, paymentIds),
  ])
  const orders = byId(ordersNow)
  return paymentsNow.flatMap((payment) => {
    const order = orders.get(payment.orderId)
    if (order && order.id === purchase?.order.id) return chargeOfSale(payment, purchase)
    const subscription = subscriptions.get(order?.subscriptionId ?? '')
    return order && subscription ? [{ payment, order, subscription, purchase: null }] : []
  })
}

function chargeOfSale(payment: payments.Payment, purchase: Purchase): Charge[] {
  const { order, sold } = purchase
  const subscription = sold.find(({ mandate }) => mandate?.id === payments.chargedMandate(payment)) ?? sold[0]
  return subscription ? [{ payment, order, subscription, purchase }] : []
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))

export interface ChargeUpdate {
  readonly charge: Charge
  readonly update: AppliedUpdate
  readonly simulated?: boolean
  readonly own?: Transaction
}

/** Applies each outcome once. Every final outcome other than `paid` is a failed charge. */
export async function applyChargeUpdates(tx: Transaction, updates: readonly ChargeUpdate[]): Promise<void> {
  failpoint('charge.locked')
  const applied = updates.flatMap(({ charge, update, simulated = false, own = tx }) => {
    const payment = applyProviderUpdate(charge.payment, update, own.now)
    return payment ? [{ charge: { ...charge, payment }, simulated, own }] : []
  })
  await payments.savePayments(
    tx.sql,
    applied.map(({ charge }) => charge.payment),
  )
  for (const { charge, own } of applied) {
    const { payment, order } = charge
    if (!tx.testmode && payment.country) await savePaymentCountry(tx.sql, order.id, payment.country)
    if (payment.status === 'pending' && payment.ref !== null) await watchPayment(own, payment, payment.ref)
  }
  failpoint('charge.recorded')
  await paid(
    tx,
    applied.filter(({ charge }) => charge.payment.status === 'paid'),
  )
  for (const { charge, simulated, own } of applied) {
    const { status, failureReason } = charge.payment
    if (status === 'paid' || status === 'pending') continue
    await failed(own, charge, { reason: failureReason ?? 'general_failure', simulated })
  }
}

/** Applies an outcome that a test helper decided to a payment that no provider knows. */
export async function applySimulatedOutcome(
  tx: Transaction,
  charge: Charge,
  outcome: { paymentStatus: 'paid' | 'failed'; failureReason: FailureReason | null },
): Promise<void> {
  const { payment } = charge
  const status = paymentStates.on(payment.status, outcome.paymentStatus === 'paid' ? 'pay' : 'fail', 'payment_finished')
  const { failureReason } = outcome
  await payments.savePayment(tx.sql, { ...payment, status, failureReason, finishedAt: tx.now })
  if (status === 'paid') return paid(tx, [{ charge }])
  await failed(tx, charge, { reason: failureReason ?? 'general_failure', simulated: true })
}

/**
 * Counts the charge of a subscription without a payment method as failed. The subscription has no payment method if it was free, if the
 * first payment left no mandate, or if a dispute removed the mandate.
 */
export async function failWithoutMandate(tx: Transaction, subscription: Subscription, order: Order): Promise<void> {
  if (order.status !== 'pending' || subscription.mandate !== null) return
  await chargeFailed(tx, { subscription, order }, { reason: 'invalid_mandate', simulated: false, mandateId: null })
}

export async function paid(tx: Transaction, all: readonly { charge: Charge; own?: Transaction }[]): Promise<void> {
  for (const { charge, own = tx } of all) if (charge.purchase) await payPurchase(own, charge.purchase, charge.payment)
  const charged = all.filter(({ charge }) => charge.purchase === null)
  if (charged.length === 0) return
  const recovered = await chargesPaid(
    tx,
    charged.map(({ charge, own = tx }) => ({ ...charge, own })),
  )
  const sendReceipts = await receiptsOf(
    tx,
    charged.map(({ charge: { order } }) => order),
  )
  const payables = charged.map(({ charge: { order, payment }, own = tx }) => ({ order, method: payment.method, own }))
  await payOrders(tx, payables, (orders) => {
    const receipts = charged.flatMap(({ charge: { subscription }, own = tx }, index) => {
      const order = orders[index]
      const isRecovered = order !== undefined && recovered.has(order.id) && nextRenewalAt(subscription) !== null
      return order ? [{ order, subscriptions: [subscription], isRecovered, own }] : []
    })
    const late = charged.flatMap(({ charge, own = tx }, index) => {
      const order = orders[index]
      return order ? [{ charge, order, own }] : []
    })
    return Promise.all([
      notifyOfLatePayments(tx, late),
      tx.emitAll(orders.map((order, index) => paidEvent(tx, order, charged[index]?.own))),
      sendReceipts(receipts),
    ])
  })
  failpoint('charge.notified')
}

async function failed(
  tx: Transaction,
  charge: Charge,
  { reason, simulated }: { reason: FailureReason; simulated: boolean },
): Promise<void> {
  if (charge.purchase) return purchaseUnpaid(tx, charge.purchase, reason)
  await chargeFailed(tx, await withoutWithdrawnUnits(tx, charge), {
    reason,
    simulated,
    mandateId: payments.chargedMandate(charge.payment),
  })
}
