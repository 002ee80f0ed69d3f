import { invoiceNumber, salesSeries } from '../invoices/rules/number.ts'
import { takeNumbers } from '../invoices/store.ts'
import { type Booking, book } from '../ledger/book.ts'
import { bookSale } from '../ledger/rules/sale.ts'
import { config } from '../platform/config.ts'
import type { Work } from '../platform/transact.ts'
import { convert } from './rules/exchange.ts'
import { type Order, orderStates } from './rules/order.ts'
import { saveOrders } from './store.ts'

interface Payable {
  readonly order: Order
  /** How it is paid; null where nothing was to be paid. */
  readonly method: string | null
}

/** As `payOrders`, of one. */
export async function payOrder(work: Work, order: Order, method: string | null): Promise<Order> {
  const [paid] = await payOrders(work, [{ order, method }])
  if (!paid) throw new Error('an order was paid and is gone')
  return paid
}

/**
 * Orders are paid: an invoice number each, unless it is over nothing, and their booking, in the caller's transaction. The event
 * is the caller's, who knows what is told before it. Refuses `illegal_move` on an order that was paid or given up.
 */
export async function payOrders(work: Work, payables: readonly Payable[]): Promise<Order[]> {
  const { sql, now, ...scope } = work
  await book(
    work,
    payables.map(({ order }) => bookingOf(order)),
  )
  // Late: whoever wants a number of the same series waits for the commit.
  const series = salesSeries(scope, now)
  const numbered = payables.filter(({ order }) => order.total > 0n).length
  let number = numbered > 0 ? await takeNumbers(sql, series, numbered) : 0n
  const paid = payables.map(({ order, method }): Order => {
    const invoice = order.total > 0n ? { scope: series.scope, number: invoiceNumber(series, number++) } : null
    const status = orderStates.on(order.status, 'pay', 'illegal_move')
    return { ...order, status, paymentMethod: method, paidAt: now, invoice }
  })
  await saveOrders(sql, paid)
  return paid
}

/** The fixed part of the fee is in EUR: in another currency it is converted like a price. */
function bookingOf({ id, total, subtotal, currency, exchangeRate }: Order): Booking {
  const { part, fixed } = config().fee
  const fee = { part, fixed: exchangeRate === null ? fixed : convert(fixed, exchangeRate) }
  return { subjectId: id, cause: 'order.paid', orderId: id, currency, entries: bookSale({ total, subtotal, fee }) }
}
