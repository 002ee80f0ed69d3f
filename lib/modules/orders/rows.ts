import type { Sql } from '../../platform/db/db.ts'
import { type PaymentFailure, paymentFailure } from '../recovery/rules/index.ts'
import { storedTax, toTaxes } from '../tax/rows.ts'
import type { ReversalLine } from './rules/credit-note.ts'
import type {
  CustomerDetails,
  InvoiceDetails,
  Order,
  OrderLine,
  Seller,
  ShownLine,
  ShownOrder,
  TermsChange,
} from './rules/order.ts'

interface LineRow {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly base_price: string
  readonly subtotal: bigint
  readonly total: bigint
  readonly taxes: unknown
}

interface ReversalRow extends LineRow {
  readonly order_line_id: string
  readonly invoice_description: string | null
}

export const withReversalLines = { lines: { orderBy: { position: 'asc' } } } as const

export const lineRow = (
  line: Omit<OrderLine, 'productType' | 'productId' | 'metadata' | 'onInvoice'>,
  position: number,
) => ({
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

const lineOf = (row: LineRow) => ({
  id: row.id,
  description: row.description,
  quantity: row.quantity,
  basePrice: row.base_price,
  subtotal: row.subtotal,
  total: row.total,
  taxes: toTaxes(row.taxes),
})

export const toReversalLine = (row: ReversalRow): ReversalLine => ({
  orderLineId: row.order_line_id,
  invoiceDescription: row.invoice_description,
  ...lineOf(row),
})

type RowOf<Table extends 'orders' | 'order_lines' | 'recoveries'> = Awaited<ReturnType<Sql[Table]['findUniqueOrThrow']>>
type OrderRow = RowOf<'orders'> & { readonly lines: readonly RowOf<'order_lines'>[] }

const shownLineColumns = {
  id: true,
  description: true,
  quantity: true,
  base_price: true,
  subtotal: true,
  total: true,
  taxes: true,
  product_type: true,
  product_id: true,
  metadata: true,
} as const

const shownOrderColumns = {
  id: true,
  testmode: true,
  subscription_id: true,
  customer_id: true,
  credited_order_id: true,
  replaces_order_id: true,
  status: true,
  payment_method: true,
  currency: true,
  subtotal: true,
  total: true,
  reversed_subtotal: true,
  refunding_subtotal: true,
  tax_summary: true,
  customer_details: true,
  metadata: true,
  invoice_scope: true,
  invoice_number: true,
  created_at: true,
  paid_at: true,
} as const

/** Lists of orders select only these columns, because each further column makes the query slower. */
export const ofShownOrders = {
  ...shownOrderColumns,
  recoveries: {
    select: {
      subscription_id: true,
      kind: true,
      steps_done: true,
      next_step_at: true,
      last_failure_reason: true,
      last_failed_at: true,
      status: true,
    },
  },
  lines: { select: shownLineColumns, orderBy: { position: 'asc' } },
} as const

type ShownLineRow = Pick<RowOf<'order_lines'>, keyof typeof shownLineColumns>
type ShownRow = Pick<RowOf<'orders'>, keyof typeof shownOrderColumns> & { readonly lines: readonly ShownLineRow[] }
type RecoveryRow = Pick<RowOf<'recoveries'>, keyof (typeof ofShownOrders)['recoveries']['select']>

export const toShownOrder = (row: ShownRow & { readonly recoveries: readonly RecoveryRow[] }): ShownOrder => ({
  ...shownOf(row, row.lines.map(toShownLine)),
  paymentFailure: toFailure(row.recoveries[0]),
})

const toFailure = (row: RecoveryRow | undefined): PaymentFailure | null =>
  row?.status === 'open'
    ? paymentFailure({
        subscriptionId: row.subscription_id,
        kind: row.kind,
        stepsDone: row.steps_done,
        nextStepAt: row.next_step_at,
        lastFailure: { reason: row.last_failure_reason, at: row.last_failed_at },
      })
    : null

const shownOf = <Line extends ShownLine>(row: ShownRow, lines: readonly Line[]) => ({
  id: row.id,
  testmode: row.testmode,
  subscriptionId: row.subscription_id,
  customerId: row.customer_id,
  creditedOrderId: row.credited_order_id,
  replacesOrderId: row.replaces_order_id,
  status: row.status,
  paymentMethod: row.payment_method,
  currency: row.currency,
  subtotal: row.subtotal,
  total: row.total,
  reversedSubtotal: row.reversed_subtotal,
  refundingSubtotal: row.refunding_subtotal,
  taxSummary: toTaxes(row.tax_summary),
  lines,
  customerDetails: row.customer_details as CustomerDetails,
  metadata: row.metadata,
  invoice: row.invoice_scope && row.invoice_number ? { scope: row.invoice_scope, number: row.invoice_number } : null,
  createdAt: row.created_at,
  paidAt: row.paid_at,
})

export const toOrder = (row: OrderRow): Order => ({
  ...shownOf(row, row.lines.map(toLine)),
  checkoutId: row.checkout_id,
  replacedById: row.replaced_by_id,
  exchangeRate: toRate(row),
  vatStatedIn: row.vat_stated_in as Order['vatStatedIn'],
  taxBehavior: row.tax_behavior,
  seller: row.seller as unknown as Seller,
  locale: row.locale,
  paidAt: row.paid_at,
  correctedAt: row.corrected_at,
  withdrawal: row.withdrawal === null ? null : { kind: row.withdrawal, beginsAtOnce: row.begins_at_once },
})

const toRate = ({
  exchange_rate: rate,
  exchange_rate_source: source,
  exchange_rate_on: on,
}: OrderRow): Order['exchangeRate'] =>
  rate === null
    ? null
    : { rate, source: source === 'ecb' ? 'ecb' : 'built_in', on: on?.toISOString().slice(0, 10) ?? null }

const toShownLine = (row: ShownLineRow): ShownLine => ({
  productType: row.product_type,
  productId: row.product_id,
  metadata: row.metadata,
  ...lineOf(row),
})

const toLine = (row: RowOf<'order_lines'>): OrderLine => ({ ...toShownLine(row), onInvoice: toInvoiceDetails(row) })

function toInvoiceDetails(row: RowOf<'order_lines'>): InvoiceDetails | null {
  const { invoice_description: description, service_from: from, service_until: until } = row
  const service = from && until && { from, until }
  const change = row.terms_change as unknown as TermsChange | null
  return description === null && !service && !change ? null : { description, service, change }
}
