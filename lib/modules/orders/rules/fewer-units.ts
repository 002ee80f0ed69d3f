import { computeTax } from '../../tax/rules/index.ts'
import type { Order, OrderLine } from './order.ts'

/** Returns the line that bills the period. Returns null if the order bills no period, for example if its first line is a credit for unused time. */
export const periodLineOf = ({ lines: [first] }: Order): OrderLine | null =>
  first?.productType === 'subscription' && first.subtotal > 0n ? first : null

/**
 * Lowers the quantity of the line that bills the period by `units`. Returns null if the order has no such line, if no
 * unit or amount would be left, or if the order has an invoice. An unpaid order has an invoice if the bank returned its
 * direct debit; this invoice stays valid.
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
