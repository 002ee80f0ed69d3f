import { formatMoney, sum } from '../../../kernel/money.ts'
import type { TaxAmount } from '../../tax/rules/index.ts'
import type { Described, InvoiceDetails, Order, OrderLine } from './order.ts'
import { asInvoiced, type Part, taxSummaryOf, totalOf } from './reverse.ts'

export interface ReversalLine
  extends Omit<OrderLine, 'productType' | 'productId' | 'metadata' | 'onInvoice'>,
    Described {
  readonly orderLineId: string
}

/** The part of an order that is returned to the buyer. Amounts are in minor units and never negative. */
export interface Reversal {
  readonly subtotal: bigint
  readonly total: bigint
  readonly taxSummary: readonly TaxAmount[]
  readonly lines: readonly ReversalLine[]
}

/**
 * Returns the reversed part of an order. A line that is reversed in part becomes one unit at the reversed amount.
 * `describe` returns the description of a line.
 */
export function reversalOf(
  order: Order,
  parts: readonly Part[],
  given: { lineIds: readonly string[]; describe: (line: OrderLine) => Described },
): Reversal {
  const lines = parts.map((part, index): ReversalLine => {
    const { line, subtotal, taxes } = part
    const asSold =
      subtotal === line.subtotal
        ? line
        : { quantity: 1, basePrice: formatMoney({ minor: subtotal, currency: order.currency }) }
    return {
      id: given.lineIds[index] ?? '',
      orderLineId: line.id,
      ...given.describe(line),
      quantity: asSold.quantity,
      basePrice: asSold.basePrice,
      subtotal,
      total: totalOf(part),
      taxes,
    }
  })
  return {
    subtotal: sum(lines.map(({ subtotal }) => subtotal)),
    total: sum(lines.map(({ total }) => total)),
    taxSummary: parts.length > 0 ? taxSummaryOf(order, parts) : nothing(order),
    lines,
  }
}

export const nothingReversed = (order: Order): Reversal => ({
  subtotal: 0n,
  total: 0n,
  taxSummary: nothing(order),
  lines: [],
})

export const extended = (order: Order, before: Reversal, more: Reversal): Reversal => ({
  subtotal: before.subtotal + more.subtotal,
  total: before.total + more.total,
  taxSummary: taxSummaryOf(order, [...before.lines, ...more.lines]),
  lines: [...before.lines, ...more.lines],
})

/** Returns one tax line of zero if nothing is reversed, because a document always has at least one tax line. */
function nothing(order: Order): TaxAmount[] {
  const [first] = asInvoiced(order).taxSummary
  return first ? [{ rate: first.rate, amount: 0n }] : []
}

export function creditNoteOf(
  original: Order,
  { lines, ...sums }: Reversal,
  given: {
    id: string
    lineIds: readonly string[]
    number: NonNullable<Order['invoice']>
    metadata: string | null
    now: Date
  },
): Order {
  return {
    ...original,
    ...sums,
    id: given.id,
    // A document without tax states no VAT amount.
    vatStatedIn: sums.total === sums.subtotal ? [] : original.vatStatedIn,
    creditedOrderId: original.replacedById ?? original.id,
    replacesOrderId: null,
    replacedById: null,
    checkoutId: null,
    subscriptionId: null,
    status: 'paid',
    reversedSubtotal: 0n,
    refundingSubtotal: 0n,
    lines: lines.map(({ orderLineId, invoiceDescription, ...line }, index) => ({
      ...line,
      id: given.lineIds[index] ?? '',
      productType: null,
      productId: null,
      metadata: null,
      onInvoice: detailsOf(original, orderLineId, invoiceDescription),
    })),
    metadata: given.metadata,
    invoice: given.number,
    createdAt: given.now,
    paidAt: given.now,
    correctedAt: null,
  }
}

function detailsOf({ lines }: Order, orderLineId: string, description: string | null): InvoiceDetails | null {
  const sold = lines.find(({ id }) => id === orderLineId)?.onInvoice ?? null
  return description === null && sold === null
    ? null
    : { description, service: sold?.service ?? null, change: sold?.change ?? null }
}
