import { only } from '../../kernel/only.ts'
import type { Event } from '../../modules/events/publish.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { invoiceNumber, salesSeries } from '../../modules/invoices/rules/number.ts'
import { takeNumbers } from '../../modules/invoices/store.ts'
import { type Posting, post } from '../../modules/ledger/post.ts'
import { postPaidAgain } from '../../modules/ledger/rules/returned-debit.ts'
import { postSale } from '../../modules/ledger/rules/sale.ts'
import { feesOnSales } from '../../modules/ledger/store.ts'
import { settledOrder } from '../../modules/orders/resource.ts'
import { convertFor } from '../../modules/orders/rules/exchange.ts'
import { type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { saveOrders } from '../../modules/orders/store.ts'
import { returnedPayments } from '../../modules/payments/returns-store.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { vatStatedIn } from './vat-currencies.ts'

interface Payable {
  readonly order: Order
  readonly method: PaymentMethod | null
  readonly own?: Transaction
}

export const payOrder = async (
  tx: Transaction,
  order: Order,
  method: PaymentMethod | null,
  notify: (paid: Order) => Promise<unknown>,
): Promise<Order> => only(await payOrders(tx, [{ order, method }], ([paid]) => notify(paid ?? order)))

/**
 * Posts the payments of orders to the ledger. Other sales of the storefront then wait until this transaction commits, so do all other work before this call.
 * Each order must still be unpaid.
 */
export async function payOrders(
  tx: Transaction,
  payables: readonly Payable[],
  notify: (paid: readonly Order[]) => Promise<unknown>,
): Promise<Order[]> {
  const { sql, ...tenant } = tx
  const orders = payables.map(({ order }) => order)
  const reopened = orders.filter(({ invoice }) => invoice !== null).map(({ id }) => id)
  const [statedIn, paidAgain] = await Promise.all([vatStatedIn(tx, orders), paidAgainOf(sql, reopened)])
  // These writes come last and run together, because other transactions wait for the commit if they post to the same
  // accounts or need an invoice number.
  const [, numbers] = await Promise.all([
    post(
      tx,
      payables.map(({ order, own = tx }) => ({ ...(paidAgain(order) ?? postingOf(order)), own })),
    ),
    numbersOf(
      sql,
      tenant,
      payables.map(({ order, own = tx }) => ({ order, now: own.now })),
    ),
    tx.dateEvents(),
  ])
  const paid = payables.map(({ order, method, own = tx }): Order => {
    const status = orderStates.on(order.status, 'pay')
    // An order already has an invoice if the bank returned its earlier payment. This invoice stays valid.
    if (order.invoice) return { ...order, status, paymentMethod: method }
    const invoice = numbers.get(order.id) ?? null
    const vat = { vatStatedIn: statedIn.get(order.id) ?? null }
    return { ...order, ...vat, status, paymentMethod: method, paidAt: own.now, invoice }
  })
  await Promise.all([saveOrders(sql, paid), notify(paid)])
  return paid
}

export const paidEvent = (tx: Transaction, order: Order, own = tx): Event => ({
  name: 'order.paid',
  object: settledOrder(order),
  ...(own !== tx && { at: own.now }),
})

async function numbersOf(
  sql: Sql,
  tenant: Tenant,
  payables: readonly { order: Order; now: Date }[],
): Promise<Map<string, NonNullable<Order['invoice']>>> {
  const wanted = payables.flatMap(({ order, now }) =>
    order.total > 0n && order.invoice === null ? [{ id: order.id, series: salesSeries(tenant, now) }] : [],
  )
  const numbers = new Map<string, NonNullable<Order['invoice']>>()
  for (const name of new Set(wanted.map(({ series }) => series.name))) {
    const ofSeries = wanted.filter(({ series }) => series.name === name)
    const [first] = ofSeries
    let number = first ? await takeNumbers(sql, first.series, ofSeries.length) : 0n
    for (const { id, series } of ofSeries)
      numbers.set(id, { scope: series.scope, number: invoiceNumber(series, number++) })
  }
  return numbers
}

async function paidAgainOf(sql: Sql, orderIds: readonly string[]): Promise<(order: Order) => Posting | null> {
  const [returned, fees] = await Promise.all([returnedPayments(sql, orderIds), feesOnSales(sql, [...orderIds])])
  return ({ id, total, currency }) => {
    const subjectId = returned.get(id)
    if (!subjectId) return null
    const entries = postPaidAgain({ total, fee: fees.get(id) ?? 0n })
    return { subjectId, cause: 'return.paid', orderId: id, currency, entries }
  }
}

/** The fixed part of the fee is in EUR and is converted into the currency of the order like a price. */
function postingOf({ id, total, subtotal, currency, exchangeRate }: Order): Posting {
  const { part, fixed } = config().fee
  const fee = { part, fixed: convertFor(exchangeRate, fixed) }
  return { subjectId: id, cause: 'order.paid', orderId: id, currency, entries: postSale({ total, subtotal, fee }) }
}
