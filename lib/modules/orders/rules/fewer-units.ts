import { computeTax } from '../../tax/rules/index.ts'
import type { Order, OrderLine } from './order.ts'

/**
 * An unpaid order of a subscription with fewer units of its period, by the price and the tax that it was billed with. Null if it
 * has no line of so many units: it is about something else, as the rest of a period after a change.
 */
export function fewerUnits(order: Order, { from, to }: { from: number; to: number }): Order | null {
  const isOfPeriod = (line: OrderLine) => line.productType === 'subscription' && line.quantity === from
  if (from < 2 || !order.lines.some(isOfPeriod)) return null
  const priceOf = order.taxBehavior === 'inclusive' ? 'total' : 'subtotal'
  const { lines, ...sums } = computeTax({
    behavior: order.taxBehavior,
    rates: order.taxSummary.map(({ rate }) => rate),
    lines: order.lines.map((line) => ({
      line,
      // What is multiplied by the quantity has no remainder.
      unitPrice: line[priceOf] / BigInt(line.quantity),
      quantity: isOfPeriod(line) ? to : line.quantity,
    })),
  })
  return {
    ...order,
    ...sums,
    lines: lines.map(({ line, quantity, basePrice, subtotal, taxes, total }) => ({
      ...(quantity === line.quantity ? line : withChange(line, to)),
      ...{ quantity, basePrice, subtotal, taxes, total },
    })),
  }
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
