import { storedTax, toTaxes } from '../tax/rows.ts'
import type { ReversalLine } from './rules/credit-note.ts'
import type { OrderLine } from './rules/order.ts'

/** A row of `reversal_lines`, which refunds and chargebacks share. */
interface Row {
  id: string
  order_line_id: string
  description: string
  invoice_description: string | null
  quantity: number
  base_price: string
  subtotal: bigint
  total: bigint
  taxes: unknown
}

/** The relation that refunds and chargebacks are read with. */
export const withReversalLines = { lines: { orderBy: { position: 'asc' } } } as const

/** The columns that order lines and reversal lines have in common. */
export const lineRow = (line: Omit<OrderLine, 'productType' | 'productId' | 'onInvoice'>, position: number) => ({
  id: line.id,
  position,
  description: line.description,
  quantity: line.quantity,
  base_price: line.basePrice,
  subtotal: line.subtotal,
  total: line.total,
  taxes: line.taxes.map(storedTax),
})

export const reversalRow = (line: ReversalLine, position: number) => ({
  ...lineRow(line, position),
  order_line_id: line.orderLineId,
  invoice_description: line.invoiceDescription,
})

export const toReversalLine = (row: Row): ReversalLine => ({
  id: row.id,
  orderLineId: row.order_line_id,
  description: row.description,
  invoiceDescription: row.invoice_description,
  quantity: row.quantity,
  basePrice: row.base_price,
  subtotal: row.subtotal,
  total: row.total,
  taxes: toTaxes(row.taxes),
})
