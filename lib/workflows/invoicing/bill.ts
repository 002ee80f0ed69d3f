import { day } from '../../kernel/format.ts'
import { toWire } from '../../kernel/moment.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { fxRates } from '../../modules/orders/rules/exchange.ts'
import { type Described, type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { insertOrder } from '../../modules/orders/store.ts'
import { insertPayments, type Payment } from '../../modules/payments/store.ts'
import { type BillingLine, methodOf, orderOf, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { charge } from '../../modules/subscriptions/tasks.ts'
import { config } from '../../platform/config.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import type { Transaction } from '../../platform/jobs/transact.ts'
import { translator } from '../../platform/translate.ts'
import { providerOf } from '../../providers/index.ts'
import { payOrder } from './pay-orders.ts'

interface BillingOptions {
  /** A test helper decides the outcome of the charge. */
  readonly simulated?: boolean
  /** The real moment of a change that is charged at once. */
  readonly immediateAt?: Date | null
}

/**
 * Creates an order of a subscription and its pending charge, in the caller's transaction: nothing goes to the provider
 * before the commit. An order over nothing is paid at once.
 */
export async function bill(
  tx: Transaction,
  subscription: Subscription,
  lines: readonly BillingLine[],
  { simulated = false, immediateAt = null }: BillingOptions = {},
): Promise<{ order: Order; payment: Payment | null }> {
  const { sql, emit, ...tenant } = tx
  const made = await draftOrder(tx, subscription, lines)
  await insertOrder(sql, tenant, made, immediateAt)
  failpoint('renewal.ordered')
  if (made.total > 0n) return { order: made, payment: await chargeOrder(tx, subscription, made, { simulated }) }
  const order = await payOrder(tx, made, made.paymentMethod)
  await emit({ name: 'order.paid', object: orderResource(order) })
  return { order, payment: null }
}

/**
 * Creates the pending charge of an order on the subscription's mandate. Null if there is no mandate that can be charged
 * yet. A simulated charge is `pending` at once, and exists only here.
 */
export async function chargeOrder(
  tx: Transaction,
  subscription: Subscription,
  order: Order,
  { simulated }: { simulated: boolean },
): Promise<Payment | null> {
  const payment = pendingCharge(tx, subscription, order, { simulated })
  if (payment) await createPendingCharges(tx, [payment])
  return payment
}

/** The pending charge of an order. Null if there is no mandate that can be charged. */
export function pendingCharge(
  { now, newId, testmode }: Transaction,
  { mandate }: Subscription,
  order: Order,
  { simulated }: { simulated: boolean },
): Payment | null {
  if (mandate?.status !== 'valid') return null
  return {
    id: newId('payment_'),
    orderId: order.id,
    checkoutId: null,
    billingLinkId: null,
    method: methodOf[mandate.method],
    amount: { minor: order.total, currency: order.currency },
    status: simulated ? 'pending' : 'created',
    failureReason: null,
    makesMandate: false,
    mandateId: mandate.id,
    provider: simulated ? 'simulated' : providerOf({ testmode }).name,
    ref: null,
    createdAt: now,
    finishedAt: null,
  }
}

/** Saves pending charges, with the tasks that ask the provider. */
export async function createPendingCharges(
  { sql, enqueueAll, ...tenant }: Transaction,
  intended: readonly Payment[],
): Promise<void> {
  await insertPayments(sql, tenant, intended)
  const asked = intended.filter(({ provider }) => provider !== 'simulated')
  await enqueueAll(
    charge,
    asked.map(({ id, createdAt }) => ({ key: id, data: { paymentId: id }, dueAt: createdAt })),
  )
  failpoint('renewal.charge_created')
}

/** As `makeOrder`, with the customer's email address and the descriptions of the lines. */
export async function draftOrder(
  tx: Transaction,
  subscription: Subscription,
  lines: readonly BillingLine[],
): Promise<Order> {
  const customer = await findCustomer(tx.sql, tx, subscription.customerId)
  const describe = await describer(subscription)
  return makeOrder(tx, subscription, lines, { email: customer?.email ?? null, describe })
}

/** An order of a subscription, not saved yet. It waits for its payment, unless it is over nothing. */
export function makeOrder(
  { newId, now }: Transaction,
  subscription: Subscription,
  lines: readonly BillingLine[],
  { email, describe }: { email: string | null; describe: (line: BillingLine) => Described },
): Order {
  const { currency } = subscription.price
  const made = orderOf(subscription, lines, {
    id: newId('order_'),
    lineIds: lines.map(() => newId('order_item_')),
    seller: config().seller,
    email,
    now,
    exchangeRate: currency === 'EUR' ? null : fxRates[currency],
    describe,
  })
  return made.total > 0n ? { ...made, status: orderStates.on(made.status, 'await', 'illegal_move') } : made
}

/** Describes a line in the subscription's language, with its days where the API has no other field for them. */
async function describer({ locale }: Subscription): Promise<(line: BillingLine) => Described> {
  const t = await translator(locale)
  const on = (moment: Date) => day(toWire(moment), locale)
  return (line) => {
    if (line.kind === 'period') return { description: line.name, invoiceDescription: null }
    if (line.kind === 'verification') return { description: t('orderLines.verification'), invoiceDescription: null }
    const { kind, name, from, until } = line
    return {
      description: t(`orderLines.${kind}`, { name, from: on(from), until: on(until) }),
      invoiceDescription: t(`invoice.lines.${kind}`, { name }),
    }
  }
}
