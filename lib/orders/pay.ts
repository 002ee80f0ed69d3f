import { invoiceNumber, salesSeries } from '../invoices/rules/number.ts'
import { takeNumber } from '../invoices/store.ts'
import { bookSale } from '../ledger/rules/sale.ts'
import { book } from '../ledger/store.ts'
import { config } from '../platform/config.ts'
import type { Work } from '../platform/transact.ts'
import { convert } from './rules/exchange.ts'
import { type Order, orderStates } from './rules/order.ts'
import { saveOrder } from './store.ts'

/**
 * The order is paid: its invoice number, unless it is over nothing, and its booking, in the caller's transaction. The event is
 * the caller's, who knows what is told before it. Refuses `illegal_move` on an order that was paid or given up.
 */
export async function payOrder(work: Work, order: Order, method: string | null): Promise<Order> {
  const { sql, now, ...scope } = work
  const series = salesSeries(scope, now)
  const paid: Order = {
    ...order,
    status: orderStates.on(order.status, 'pay', 'illegal_move'),
    paymentMethod: method,
    paidAt: now,
    invoice:
      order.total > 0n ? { scope: series.scope, number: invoiceNumber(series, await takeNumber(sql, series)) } : null,
  }
  await saveOrder(sql, paid)
  await bookPaidOrder(work, paid)
  return paid
}

/** The fixed part of the fee is in EUR: in another currency it is converted like a price. */
async function bookPaidOrder(work: Work, { id, total, subtotal, currency, exchangeRate }: Order): Promise<void> {
  const { part, fixed } = config().fee
  const fee = { part, fixed: exchangeRate === null ? fixed : convert(fixed, exchangeRate) }
  const entries = bookSale({ total, subtotal, fee })
  if (entries.length > 0) await book(work, { cause: 'order.paid', orderId: id, currency, entries })
}
