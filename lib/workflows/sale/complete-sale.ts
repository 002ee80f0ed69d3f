import { sharePlans } from '../../modules/catalog/store.ts'
import { checkoutResource } from '../../modules/checkouts/resource.ts'
import {
  type Checkout,
  checkoutStates,
  sellsSubscription,
  trialEnd,
  unitPriceAt,
  withServicePeriods,
  withSubscriptions,
} from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import * as customers from '../../modules/customers/store.ts'
import type { Event } from '../../modules/events/publish.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { saveOrder } from '../../modules/orders/store.ts'
import type { ProviderMandate } from '../../modules/payments/provider-data.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { watchForMethods } from '../../modules/subscriptions/missing-method.ts'
import { nothingOwed } from '../../modules/subscriptions/owed.ts'
import { writePeriods } from '../../modules/subscriptions/periods.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import { abandon, type Subscription, start } from '../../modules/subscriptions/rules/index.ts'
import * as subscriptions from '../../modules/subscriptions/store.ts'
import { setTimers } from '../../modules/subscriptions/timer.ts'
import { taxFactsOf } from '../../modules/tax/rows.ts'
import { receiptsOf } from '../customer-emails/receipts.ts'
import { paidEvent, payOrder } from '../invoicing/pay-orders.ts'
import { keepMandate } from '../mandates/keep.ts'

export interface SaleState {
  readonly checkout: Checkout
  readonly order: Order
  /**
   * Whether the payment was pending before. If so, the subscriptions already exist, and changes to the subscriptions
   * during that time are kept.
   */
  readonly wasPending?: boolean
}

/** Creates the customer and the subscriptions while a payment is pending. A second payment attempt reuses them. Returns the saved order. */
export async function prepareSale(tx: Transaction, state: SaleState): Promise<Order> {
  const { checkout, order } = await withSoldItems(tx, state)
  await store.saveCheckout(tx.sql, checkout)
  await saveOrder(tx.sql, order, { lines: true })
  return order
}

async function withSoldItems(
  tx: Transaction,
  { checkout, order, wasPending = false }: SaleState,
): Promise<SaleState & { subscriptions: Subscription[] }> {
  const timeZone = checkout.draft?.timeZone ?? null
  const customerId = checkout.customerId ?? (await customerFor(tx, order, timeZone))
  if (timeZone) await customers.saveTimeZone(tx.sql, customerId, timeZone)
  const sold = await subscriptionsFor(tx, { checkout, order, wasPending }, customerId)
  return {
    checkout: { ...checkout, customerId },
    order: { ...order, customerId, lines: withSubscriptions(order, checkout, sold) },
    subscriptions: sold,
  }
}

/** The events have a guaranteed sequence: `checkout.paid`, `subscription.started` (for each), `order.paid`. `method` is null if nothing is due. */
export async function completeSale(
  tx: Transaction,
  state: SaleState,
  paid: { method: PaymentMethod | null; mandate: ProviderMandate | null },
): Promise<void> {
  const { sql, now } = tx
  const prepared = await withSoldItems(tx, state)
  const customerId = prepared.checkout.customerId ?? ''
  const set = sellsSubscription(prepared.checkout) ? paid.mandate : null
  const mandate = set && (await keepMandate(tx, customerId, set))

  const started: Subscription[] = []
  for (const subscription of prepared.subscriptions) {
    const line = prepared.checkout.lines.find((each) => each.id === subscription.checkoutLineId)
    const next = start(subscription, { now, trialUntil: line ? trialEnd(line, now) : null, mandate })
    await subscriptions.saveSubscription(sql, next)
    started.push(next)
  }

  const sold = { ...prepared.order, lines: withServicePeriods(prepared.order, started) }
  await saveOrder(sql, sold, { lines: true })
  await writePeriods(
    tx,
    started.map((subscription) => ({ subscription, orderId: sold.id })),
  )
  await setTimers(tx, started)
  await watchForMethods(tx, started)

  const status = checkoutStates.on(prepared.checkout.status, 'pay', 'checkout_closed')
  const checkout: Checkout = { ...prepared.checkout, status, draft: null }
  await store.saveCheckout(sql, checkout)

  const sendReceipts = await receiptsOf(tx, [sold])
  await payOrder(tx, sold, paid.method, (order) =>
    Promise.all([
      tx.emit(
        { name: 'checkout.paid', object: checkoutResource(checkout, order.id) },
        ...started.map(
          (each): Event => ({ name: 'subscription.started', object: subscriptionResource(each, nothingOwed) }),
        ),
        paidEvent(tx, order),
      ),
      sendReceipts([{ order, subscriptions: started }]),
    ]),
  )
}

export async function abandonCheckout(tx: Transaction, checkout: Checkout): Promise<void> {
  const waiting = await subscriptions.lockSubscriptionsOfLines(
    tx.sql,
    tx,
    checkout.lines.map((line) => line.id),
  )
  for (const subscription of waiting.values()) {
    if (subscription.status === 'created') await subscriptions.saveSubscription(tx.sql, abandon(subscription, tx.now))
  }
}

async function customerFor(
  { sql, now, newId, ...tenant }: Transaction,
  order: Order,
  timeZone: string | null,
): Promise<string> {
  const email = order.customerDetails.email ?? ''
  const name = order.customerDetails.fullName
  const { testmode } = tenant
  const fresh = customers.customerWith({ id: newId('customer_'), testmode, email, name, timeZone, createdAt: now })
  return (await customers.getOrInsertCustomer(sql, tenant, fresh)).customer.id
}

async function subscriptionsFor(
  tx: Transaction,
  { checkout, order, wasPending }: SaleState,
  customerId: string,
): Promise<Subscription[]> {
  const { sql, ...tenant } = tx
  const existing = await subscriptions.lockSubscriptionsOfLines(
    sql,
    tenant,
    checkout.lines.map((line) => line.id),
  )
  const plans = checkout.lines.filter(({ id, billingInterval }) => billingInterval && !existing.has(id))
  if (plans.length > 0) await sharePlans(sql, [...new Set(plans.map(({ productId }) => productId))])
  const { email: _email, ...billingAddress } = order.customerDetails
  const taxFacts = await taxFactsOf(sql, tenant, [billingAddress.taxId])
  const sold: Subscription[] = []
  for (const line of checkout.lines) {
    if (!line.billingInterval) continue
    const before = existing.get(line.id)
    const fresh = {
      ...(taxFacts && { taxFacts }),
      billingAddress,
      price: { minor: unitPriceAt(line, order.exchangeRate), currency: order.currency },
    }
    if (before) {
      const current = wasPending ? before : { ...before, ...fresh }
      await subscriptions.saveSubscription(sql, current)
      sold.push(current)
      continue
    }
    const subscription: Subscription = {
      ...notStarted,
      ...fresh,
      id: tx.newId('subscription_'),
      testmode: tx.testmode,
      customerId,
      planId: line.productId,
      checkoutLineId: line.id,
      name: line.name,
      description: line.description,
      taxBehavior: checkout.taxBehavior,
      quantity: line.quantity,
      billingInterval: line.billingInterval,
      metadata: line.metadata,
      locale: order.locale,
      createdAt: tx.now,
    }
    await subscriptions.insertSubscription(sql, tenant, subscription)
    sold.push(subscription)
  }
  return sold
}

const notStarted = {
  status: 'created',
  resumesTo: null,
  mandate: null,
  anchorAt: null,
  startedAt: null,
  endedAt: null,
  canceledAt: null,
  cancellationReason: null,
  cancellationFeedback: null,
  renewedAt: null,
  renewedUntil: null,
  trialUntil: null,
  cycleNumber: 0,
  period: null,
  scheduledUpdate: null,
  parked: [],
} as const satisfies Partial<Subscription>
