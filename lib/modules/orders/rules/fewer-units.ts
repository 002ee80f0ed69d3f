import { computeTax } from '../../tax/rules/index.ts'
import type { Order, OrderLine } from './order.ts'

/** The line of the period that an order of a subscription bills: its first, unless that is the credit of a change. */
export const periodLineOf = ({ lines: [first] }: Order): OrderLine | null =>
  first?.productType === 'subscription' && first.subtotal > 0n ? first : null

/**
 * An unpaid order of a subscription without units of its period, by the price and the tax that it was billed with; and the line as it
 * was. Null if none would be left: it is about something else, as the rest of a period after a change, or credits as much. Null also for
 * an order with an invoice, which a returned debit opened again: the invoice stands.
 */
export function fewerUnits(order: Order, units: number): { order: Order; before: OrderLine } | null {
  const before = periodLineOf(order)
  if (!before || before.quantity <= units || order.invoice !== null) return null
  const to = before.quantity - units
  const priceOf = order.taxBehavior === 'inclusive' ? 'total' : 'subtotal'
  const { lines, ...sums } = computeTax({
    behavior: order.taxBehavior,
    rates: order.taxSummary.map(({ rate }) => rate),
    lines: order.lines.map((line) => ({
      line,
      // What is multiplied by the quantity has no remainder.
      unitPrice: line[priceOf] / BigInt(line.quantity),
      quantity: line === before ? to : line.quantity,
    })),
  })
  if (sums.total <= 0n) return null
  const reduced = lines.map(({ line, quantity, basePrice, subtotal, taxes, total }) => ({
    ...(line === before ? withChange(line, to) : line),
    quantity,
    basePrice,
    subtotal,
    taxes,
    total,
  }))
  return { order: { ...order, ...sums, lines: reduced }, before }
}

/** A change of the quantity that the line mentions leads to what is left. */
function withChange(line: OrderLine, to: number): OrderLine {
  const { onInvoice } = line
  const change = onInvoice?.change
  if (!onInvoice || !change?.quantity) return line
  const { from } = change.quantity
  const quantity = from === to ? null : { from, to }
  const isLeft = quantity || change.plan || change.price
  return { ...line, onInvoice: { ...onInvoice, change: isLeft ? { ...change, quantity } : null } }
}
