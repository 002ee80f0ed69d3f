import { divideHalfAwayFromZero } from '../../../kernel/money.ts'
import { computeTax } from '../../tax/rules/index.ts'
import { periodLineOf } from './fewer-units.ts'
import type { Order } from './order.ts'

interface BilledTerms {
  readonly name: string
  readonly price: { readonly minor: bigint }
  readonly quantity: number
}

/**
 * Replaces the terms that the order bills for its period. If the order bills only a part of the old price, it bills the
 * same part of the new price. Returns null if the order bills no period, or if nothing is left to pay.
 */
export function billedBy(order: Order, before: BilledTerms, after: BilledTerms): Order | null {
  const billed = periodLineOf(order)
  if (!billed) return null
  const priceOf = order.taxBehavior === 'inclusive' ? 'total' : 'subtotal'
  const [was, is] = [before, after].map(({ price, quantity }) => price.minor * BigInt(quantity)) as [bigint, bigint]
  const isWhole = billed[priceOf] === was
  const part = was === 0n ? 0n : divideHalfAwayFromZero(billed[priceOf] * is, was)
  const { lines, ...sums } = computeTax({
    behavior: order.taxBehavior,
    rates: order.taxSummary.map(({ rate }) => rate),
    lines: order.lines.map((line) => {
      if (line !== billed) return { line, unitPrice: line[priceOf] / BigInt(line.quantity), quantity: line.quantity }
      return isWhole
        ? { line, unitPrice: after.price.minor, quantity: after.quantity }
        : { line, unitPrice: part, quantity: 1 }
    }),
  })
  if (sums.total <= 0n) return null
  const repriced = lines.map(({ line, quantity, basePrice, subtotal, taxes, total }) => ({
    ...line,
    ...(line === billed && line.description === before.name && { description: after.name }),
    quantity,
    basePrice,
    subtotal,
    taxes,
    total,
  }))
  return { ...order, ...sums, lines: repriced }
}
