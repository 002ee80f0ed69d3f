import { computeTax } from '../../tax/rules/index.ts'
import type { Order, OrderLine } from './order.ts'

/** The first line bills the period, unless it is the credit of a change: then null. */
export const periodLineOf = ({ lines: [first] }: Order): OrderLine | null =>
  first?.productType === 'subscription' && first.subtotal > 0n ? first : null

/**
 * Takes units from the period line of an unpaid order, at the line's price and tax rate. Returns the lower order and
 * the former line. Null if no units would remain, or if the order bills no period or nothing in total. Null for an
 * order with an invoice: a returned debit opened the order again, and its invoice stays valid.
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
      // A line total is unit price × quantity, so the division leaves no remainder.
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

function withChange(line: OrderLine, to: number): OrderLine {
  const { onInvoice } = line
  const change = onInvoice?.change
  if (!onInvoice || !change?.quantity) return line
  const { from } = change.quantity
  const quantity = from === to ? null : { from, to }
  const isLeft = quantity || change.plan || change.price
  return { ...line, onInvoice: { ...onInvoice, change: isLeft ? { ...change, quantity } : null } }
}
