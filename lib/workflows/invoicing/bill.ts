import { plainDays, wholeNumber } from '../../kernel/format.ts'
import { toWire } from '../../kernel/moment.ts'
import type { Currency } from '../../kernel/money.ts'
import { only } from '../../kernel/only.ts'
import { requireSelling } from '../../modules/accounts/require-selling.ts'
import { emailsOf } from '../../modules/customers/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { newestRates } from '../../modules/exchange/rates.ts'
import type { ExchangeRate } from '../../modules/orders/rules/exchange.ts'
import { type Described, type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { insertOrders } from '../../modules/orders/store.ts'
import { simulatedProvider } from '../../modules/payments/provider-data.ts'
import { insertPayments, isSimulated, type Payment, unanswered } from '../../modules/payments/store.ts'
import { type BillingLine, methodOf, orderOf, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { chargePayment } from '../../modules/subscriptions/tasks.ts'
import { config } from '../../platform/config.ts'
import { failpoint } from '../../platform/jobs/failpoint.ts'
import { translator } from '../../platform/translate.ts'
import { keepEvidence } from './keep-evidence.ts'
import { paidEvent, payOrders } from './pay-orders.ts'

export interface Bill {
  readonly subscription: Subscription
  readonly lines: readonly BillingLine[]
  readonly simulated?: boolean
  /** The time that decides the tax rates. By default, this is the time of the order; for a previewed change, it is the time of the preview. */
  readonly taxedAt?: Date
  readonly own?: Transaction
}

export interface Billed {
  readonly order: Order
  readonly payment: Payment | null
}

export const bill = async (tx: Transaction, one: Bill, immediateAt: Date | null = null): Promise<Billed> =>
  only(await billAll(tx, [one], immediateAt))

/** If a change is charged immediately, `immediateAt` is its time on the real clock. Refuses with `storefront_suspended`. */
export async function billAll<One extends Bill>(
  tx: Transaction,
  bills: readonly One[],
  immediateAt: Date | null = null,
): Promise<(One & Billed)[]> {
  const { sql, ...tenant } = tx
  await requireSelling(sql, tenant)
  const drafts = await draftOrders(tx, bills)
  const charges = drafts.map(({ subscription, order, simulated = false, own = tx }) =>
    order.total > 0n ? newCharge(own, subscription, order, { simulated }) : null,
  )
  const orders = drafts.map(({ order }) => order)
  await Promise.all([
    insertOrders(sql, tenant, orders, immediateAt),
    keepEvidence(tx, drafts),
    enqueueCharges(
      tx,
      charges.flatMap((payment) => payment ?? []),
    ),
  ])
  failpoint('renewal.charge_created')
  const free = await payFree(tx, drafts)
  return drafts.map((draft, index) => ({
    ...draft,
    order: free.get(draft.order.id) ?? draft.order,
    payment: charges[index] ?? null,
  }))
}

async function payFree(
  tx: Transaction,
  drafts: readonly { order: Order; own?: Transaction }[],
): Promise<Map<string, Order>> {
  const free = drafts.filter(({ order }) => order.total === 0n)
  if (free.length === 0) return new Map()
  const paid = await payOrders(
    tx,
    free.map(({ order, own = tx }) => ({ order, method: order.paymentMethod, own })),
    (orders) => tx.emitAll(orders.map((order, index) => paidEvent(tx, order, free[index]?.own))),
  )
  return new Map(paid.map((order) => [order.id, order]))
}

/**
 * Inserts a charge of the subscription's mandate, and enqueues the task `subscription.charge`, which asks the provider (`workflows/collection`). Returns null
 * if the mandate is not valid. With `simulated`, the charge is `pending`, exists only in our database, and has no task.
 */
export async function enqueueCharge(
  tx: Transaction,
  subscription: Subscription,
  order: Order,
  { simulated }: { simulated: boolean },
): Promise<Payment | null> {
  const payment = newCharge(tx, subscription, order, { simulated })
  await enqueueCharges(tx, payment ? [payment] : [])
  return payment
}

function newCharge(
  { now, newId }: Transaction,
  { mandate }: Subscription,
  order: Order,
  { simulated }: { simulated: boolean },
): Payment | null {
  if (mandate?.status !== 'valid') return null
  return {
    id: newId('payment_'),
    orderId: order.id,
    purpose: { kind: 'charge', id: mandate.id },
    method: methodOf[mandate.method],
    amount: { minor: order.total, currency: order.currency },
    ...unanswered,
    status: simulated ? 'pending' : 'created',
    makesMandate: false,
    provider: simulated ? simulatedProvider : mandate.provider,
    createdAt: now,
  }
}

async function enqueueCharges(
  { sql, enqueueAll, ...tenant }: Transaction,
  intended: readonly Payment[],
): Promise<void> {
  if (intended.length === 0) return
  const asked = intended.filter((payment) => !isSimulated(payment))
  await Promise.all([
    insertPayments(sql, tenant, intended),
    enqueueAll(
      chargePayment,
      asked.map(({ id, createdAt }) => ({ key: id, data: { paymentId: id }, dueAt: createdAt })),
    ),
  ])
}

/** The returned orders are not saved yet. Each order waits for its payment, unless its total is 0.00. */
export async function draftOrders<Drafted extends Bill>(
  tx: Transaction,
  bills: readonly Drafted[],
): Promise<(Drafted & { order: Order })[]> {
  const [emails, rates] = await Promise.all([
    emailsOf(
      tx.sql,
      tx,
      bills.map(({ subscription }) => subscription.customerId),
    ),
    newestRates(tx.sql, tx, tx.now),
  ])
  return Promise.all(
    bills.map(async (each) => {
      const email = emails.get(each.subscription.customerId) ?? null
      const describe = await describer(each.subscription)
      return { ...each, order: draftOrder(each.own ?? tx, each, { email, rates, describe }) }
    }),
  )
}

function draftOrder(
  { newId, now }: Transaction,
  { subscription, lines, taxedAt }: Bill,
  given: {
    email: string | null
    rates: Readonly<Record<Currency, ExchangeRate>>
    describe: (line: BillingLine) => Described
  },
): Order {
  const { currency } = subscription.price
  const made = orderOf(subscription, lines, {
    id: newId('order_'),
    lineIds: lines.map(() => newId('order_item_')),
    seller: config().seller,
    email: given.email,
    now,
    taxedAt,
    exchangeRate: currency === 'EUR' ? null : given.rates[currency],
    describe: given.describe,
  })
  return made.total > 0n ? { ...made, status: orderStates.on(made.status, 'await') } : made
}

/**
 * The description of a prorated line contains the dates, because the API response has no other field for them. The
 * description for the invoice omits the dates, because an invoice shows them separately.
 */
export async function describer({ locale }: Subscription): Promise<(line: BillingLine) => Described> {
  const t = await translator(locale)
  return (line) => {
    if (line.kind === 'period') return { description: line.name, invoiceDescription: null }
    if (line.kind === 'verification') return { description: t('orderLines.verification'), invoiceDescription: null }
    const { kind, name, from, until } = line
    const quantity = wholeNumber(line.quantity, locale)
    const period = plainDays(toWire(from), toWire(until), locale)
    return {
      description: t(`orderLines.${kind}`, { quantity, name, period }),
      invoiceDescription: t(`invoice.lines.${kind}`, { quantity, name }),
    }
  }
}
