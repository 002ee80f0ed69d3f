import { addDuration } from '../../../kernel/calendar.ts'
import { sum } from '../../../kernel/money.ts'
import { reverseCharge } from '../../tax/rules/index.ts'
import type { Reversal } from './credit-note.ts'
import { isSale, type Order } from './order.ts'
import { type Left, type Part, reverseAll } from './reverse.ts'

/**
 * If a buyer gives a valid tax ID after the sale, a credit note and an invoice with a reverse charge replace the
 * invoice. The tax is refunded (Directive 2006/112/EC, art. 90 and 219).
 */

/** The period in which One Stop Shop returns accept corrections (Directive 2006/112/EC, art. 369g(4)). */
const correctable = { years: 3 } as const

export function bearsCorrectableTax(order: Order, now: Date): boolean {
  const { paidAt, replacedById, invoice, total, subtotal } = order
  if (!isSale(order) || !invoice || !paidAt || replacedById !== null || total === subtotal) return false
  return now <= (addDuration(paidAt, correctable) ?? paidAt)
}

export const taxLeft = ({ taxes }: Left): bigint => sum(taxes.map(({ amount }) => amount))

/** Returns the remaining parts of the order with net amounts and tax (`all`), and with tax alone (`tax`). Returns null if no amount or no tax remains. */
export function correctedParts(left: Left): { all: Part[]; tax: Part[] } | null {
  if (left.subtotal <= 0n || taxLeft(left) <= 0n) return null
  const all = reverseAll(left)
  const tax = all
    .map((part) => ({ ...part, subtotal: 0n }))
    .filter(({ taxes }) => taxes.some(({ amount }) => amount > 0n))
  return { all, tax }
}

export function replacementOf(
  original: Order,
  rest: Reversal,
  given: {
    id: string
    lineIds: readonly string[]
    number: NonNullable<Order['invoice']>
    now: Date
  },
): Order {
  const taxes = [{ rate: reverseCharge, amount: 0n }]
  return {
    ...original,
    id: given.id,
    checkoutId: null,
    subscriptionId: null,
    replacesOrderId: original.id,
    replacedById: null,
    subtotal: rest.subtotal,
    total: rest.subtotal,
    taxSummary: taxes,
    vatStatedIn: [],
    reversedSubtotal: 0n,
    refundingSubtotal: 0n,
    lines: rest.lines.map(({ quantity, basePrice, subtotal, orderLineId }, index) => {
      const sold = original.lines.find(({ id }) => id === orderLineId)
      return {
        id: given.lineIds[index] ?? '',
        description: sold?.description ?? '',
        quantity,
        basePrice,
        subtotal,
        total: subtotal,
        taxes,
        productType: null,
        productId: null,
        metadata: null,
        onInvoice: sold?.onInvoice ?? null,
      }
    }),
    withdrawal: null,
    metadata: null,
    invoice: given.number,
    createdAt: given.now,
    paidAt: given.now,
    correctedAt: null,
  }
}
