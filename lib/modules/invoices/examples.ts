import { anOrder } from '../orders/examples.ts'
import type { Order, OrderLine } from '../orders/rules/order.ts'
import { computeTax, type TaxRate } from '../tax/rules/index.ts'
import { dateOfSupply } from './rules/date-of-supply.ts'
import { eInvoiceOf } from './rules/e-invoice.ts'

export const vat = (percentage: string): TaxRate => ({ name: 'VAT', percentage })
export const reverseCharge: TaxRate = { name: 'Reverse charge', percentage: '0' }
export const outsideScope: TaxRate = { name: 'Outside scope', percentage: '0' }
export const sellerWithVatId = { ...anOrder().seller, vatId: 'NL001234567B01' }

export interface Sold {
  readonly unitPrice: bigint
  readonly quantity: number
}

export function sold(
  lines: readonly Sold[],
  rates: readonly TaxRate[],
  {
    behavior = 'exclusive',
    buyer = {},
    ...rest
  }: Partial<Order> & { behavior?: 'exclusive' | 'inclusive'; buyer?: object } = {},
): Order {
  const taxed = computeTax({ behavior, rates, lines })
  const toLine = (line: (typeof taxed.lines)[number], index: number): OrderLine => ({
    id: `order_item_${index}`,
    description: `Line ${index + 1}`,
    productType: 'one_off_product',
    productId: 'product_1',
    metadata: null,
    onInvoice: null,
    ...line,
  })
  const { subtotal, total, taxSummary } = taxed
  const customerDetails = { ...anOrder().customerDetails, ...buyer }
  return anOrder({
    seller: sellerWithVatId,
    subtotal,
    total,
    taxSummary,
    lines: taxed.lines.map(toLine),
    customerDetails,
    ...rest,
  })
}

const paidAt = new Date('2026-11-20T23:59:59Z')

export const invoiceOf = (order: Order, differences: Partial<Parameters<typeof eInvoiceOf>[0]> = {}) =>
  eInvoiceOf({
    order,
    number: 'INV-2026-000001',
    issuedAt: paidAt,
    credits: null,
    replaces: null,
    supply: dateOfSupply(order.lines, paidAt),
    note: null,
    ...differences,
  })
