import type { Locale } from '../../kernel/locale.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { dbNull, insertRows, type Sql, updateRows } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { storedTax, toTaxes } from '../tax/rows.ts'
import { lineRow, ofShownOrders, toOrder, toShownOrder } from './rows.ts'
import { isVerification, type Order, type OrderStatus, type ShownOrder } from './rules/order.ts'
import { type Reversed, reversingChargebacks, reversingRefunds } from './rules/reverse.ts'

const withLines = { lines: { orderBy: { position: 'asc' } } } as const

export async function lockOrder(sql: Sql, tenant: Tenant, id: string): Promise<Order | null> {
  await sql.$queryRaw`SELECT 1 FROM orders WHERE id = ${id} FOR NO KEY UPDATE`
  return findOrder(sql, tenant, id)
}

export async function findOrder(sql: Sql, tenant: Tenant, id: string): Promise<Order | null> {
  const row = await sql.orders.findFirst({ where: { id, ...ownedBy(tenant) }, include: withLines })
  return row && toOrder(row)
}

export async function findShownOrder(sql: Sql, tenant: Tenant, id: string): Promise<ShownOrder | null> {
  return (await findShownOrders(sql, tenant, [id]))[0] ?? null
}

export async function findShownOrders(sql: Sql, tenant: Tenant, ids: string[]): Promise<ShownOrder[]> {
  const where = { id: { in: ids }, ...ownedBy(tenant) }
  return (await sql.orders.findMany({ where, select: ofShownOrders, orderBy: { id: 'asc' } })).map(toShownOrder)
}

/**
 * Returns the reversed amounts of an order: its refunds and chargebacks. Excludes canceled and failed refunds, and
 * chargebacks that were won, were rejected, or are in an amount review. Lock the order before you call this function.
 */
export async function reversedOf(sql: Sql, orderId: string): Promise<Reversed[]> {
  const refund = { status: { in: [...reversingRefunds] } }
  const chargeback = { status: { in: [...reversingChargebacks] } }
  const rows = await sql.reversal_lines.findMany({ where: { order_id: orderId, OR: [{ refund }, { chargeback }] } })
  return rows.map((row) => ({ orderLineId: row.order_line_id, subtotal: row.subtotal, taxes: toTaxes(row.taxes) }))
}

export async function hasInvoice(sql: Sql, tenant: Tenant, customerId: string): Promise<boolean> {
  const where = { ...ownedBy(tenant), customer_id: customerId, invoice_number: { not: null } }
  // `orderBy` makes PostgreSQL use the index of a customer's orders, whatever the table statistics are.
  return (await sql.orders.findFirst({ where, select: { id: true }, orderBy: { id: 'desc' } })) !== null
}

export async function lastLocale(sql: Sql, tenant: Tenant, customerId: string): Promise<Locale | null> {
  const where = { ...ownedBy(tenant), customer_id: customerId }
  const row = await sql.orders.findFirst({ where, select: { locale: true }, orderBy: { id: 'desc' } })
  return row?.locale ?? null
}

export async function findOrders(sql: Sql, tenant: Tenant, ids: string[]): Promise<Order[]> {
  const where = { id: { in: ids }, ...ownedBy(tenant) }
  return (await sql.orders.findMany({ where, include: withLines, orderBy: { id: 'asc' } })).map(toOrder)
}

export async function creditNotesOf(sql: Sql, tenant: Tenant, orderId: string, take: number) {
  const where = { credited_order_id: orderId, ...ownedBy(tenant) }
  const rows = await sql.orders.findMany({
    where,
    select: { id: true, invoice_number: true },
    orderBy: { id: 'asc' },
    take,
  })
  return rows.map((row) => ({ id: row.id, invoiceNumber: row.invoice_number }))
}

export const invoiceInForce = async (sql: Sql, tenant: Tenant, order: Order): Promise<Order> =>
  (order.replacedById === null ? null : await findOrder(sql, tenant, order.replacedById)) ?? order

export async function findOrderAnywhere(sql: Sql, id: string): Promise<{ order: Order; tenant: Tenant } | null> {
  const row = await sql.orders.findUnique({ where: { id }, include: withLines })
  return row && { order: toOrder(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

/** Returns the last credit note before the replacement invoice. One transaction creates both documents, so this credit note belongs to the correction. */
export async function creditNoteOfCorrection(
  sql: Sql,
  tenant: Tenant,
  { id, replacedById }: Pick<Order, 'id' | 'replacedById'>,
): Promise<Order> {
  if (replacedById === null) throw new Error(`the invoice of ${id} was not replaced`)
  const where = { credited_order_id: id, id: { lt: replacedById }, ...ownedBy(tenant) }
  return toOrder(await sql.orders.findFirstOrThrow({ where, include: withLines, orderBy: { id: 'desc' } }))
}

/** Lock the checkout before you call this function. */
export async function orderOfCheckout(sql: Sql, checkoutId: string): Promise<Order | null> {
  const row = await sql.orders.findUnique({ where: { checkout_id: checkoutId }, include: withLines })
  return row && toOrder(row)
}

/**
 * Returns the unpaid orders of a subscription, oldest first. Excludes orders that verify a payment method, because the
 * buyer completes a verification on a page. Lock the subscription before you charge the returned orders.
 */
export async function unpaidOrders(sql: Sql, subscriptionId: string): Promise<Order[]> {
  const where = { subscription_id: subscriptionId, status: 'pending' as const, verifying_subscription_id: null }
  return (await sql.orders.findMany({ where, include: withLines, orderBy: { id: 'asc' } })).map(toOrder)
}

/** Returns the paid renewals and changes, oldest first. Excludes credit notes, replacement invoices, and orders with a total of 0.00. */
export async function paidOrdersOf(sql: Sql, subscriptionIds: string[]): Promise<Order[]> {
  if (subscriptionIds.length === 0) return []
  const own = { credited_order_id: null, replaces_order_id: null, total: { gt: 0 } }
  const where = { subscription_id: { in: subscriptionIds }, status: 'paid' as const, ...own }
  return (await sql.orders.findMany({ where, include: withLines, orderBy: { id: 'asc' } })).map(toOrder)
}

/** Returns the unpaid order that verifies a payment method of the subscription, or null. Lock the subscription before you call this function. */
export async function openVerification(sql: Sql, subscriptionId: string): Promise<Order | null> {
  const where = { verifying_subscription_id: subscriptionId }
  const row = await sql.orders.findUnique({ where, include: withLines })
  return row && toOrder(row)
}

export async function immediateOrders(
  sql: Sql,
  subscriptionId: string,
  since: Date,
): Promise<{ count: number; first: Date | null }> {
  const where = { subscription_id: subscriptionId, immediate_at: { gt: since } }
  const { _count, _min } = await sql.orders.aggregate({ where, _count: true, _min: { immediate_at: true } })
  return { count: _count, first: _min.immediate_at }
}

/**
 * Inserts an order. `immediateAt` is the real time at which an immediate change of a subscription created the order.
 */
export async function insertOrder(
  sql: Sql,
  tenant: Tenant,
  order: Order,
  immediateAt: Date | null = null,
): Promise<void> {
  await insertOrders(sql, tenant, [order], immediateAt)
}

export async function insertOrders(
  sql: Sql,
  tenant: Tenant,
  orders: readonly Order[],
  immediateAt: Date | null = null,
): Promise<void> {
  const rows = orders.map((order) => ({
    id: order.id,
    ...ownedBy(tenant),
    checkout_id: order.checkoutId,
    subscription_id: order.subscriptionId,
    credited_order_id: order.creditedOrderId,
    replaces_order_id: order.replacesOrderId,
    immediate_at: immediateAt,
    seller: { ...order.seller },
    created_at: order.createdAt,
    ...toColumns(order),
  }))
  await Promise.all([insertRows(sql, 'orders', rows), insertLines(sql, orders)])
}

/** Saves an order. If `lines` is set, also replaces the lines of the order, which must then be unpaid. */
export async function saveOrder(sql: Sql, order: Order, { lines = false } = {}): Promise<void> {
  await saveOrders(sql, [order])
  if (!lines) return
  await sql.order_lines.deleteMany({ where: { order_id: order.id } })
  await insertLines(sql, [order])
}

export async function saveOrders(sql: Sql, orders: readonly Order[]): Promise<void> {
  await updateRows(
    sql,
    'orders',
    orders.map((order) => ({ id: order.id, ...toColumns(order) })),
  )
}

export interface OrderFilters {
  readonly subscriptionId?: string | undefined
  readonly customerId?: string | undefined
  readonly status?: OrderStatus | undefined
  readonly ids?: readonly string[] | undefined
}

export function pageOfOrders(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  of: OrderFilters = {},
): Promise<Page<ShownOrder>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.orders.findFirst({ ...asked, select: { id: true } }),
    filter: {
      ...(of.status && { status: of.status }),
      ...(of.subscriptionId !== undefined && { subscription_id: of.subscriptionId }),
      ...(of.customerId !== undefined && { customer_id: of.customerId }),
      ...(of.ids && { AND: { id: { in: [...of.ids] } } }),
    },
    prefix: 'order_',
    find: async (asked) => (await sql.orders.findMany({ ...asked, select: ofShownOrders })).map(toShownOrder),
  })
}

export async function orderOfCheckoutLine(sql: Sql, tenant: Tenant, checkoutLineId: string): Promise<Order | null> {
  const line = await sql.checkout_lines.findUnique({ where: { id: checkoutLineId }, select: { checkout_id: true } })
  if (!line) return null
  const where = { checkout_id: line.checkout_id, ...ownedBy(tenant) }
  const row = await sql.orders.findFirst({ where, include: withLines })
  return row && toOrder(row)
}

async function insertLines(sql: Sql, orders: readonly Order[]): Promise<void> {
  const lines = orders.flatMap((order) => order.lines.map((line, position) => ({ orderId: order.id, line, position })))
  await insertRows(
    sql,
    'order_lines',
    lines.map(({ orderId, line, position }) => ({
      ...lineRow(line, position),
      order_id: orderId,
      product_type: line.productType,
      product_id: line.productId,
      metadata: line.metadata,
      invoice_description: line.onInvoice?.description ?? null,
      service_from: line.onInvoice?.service?.from ?? null,
      service_until: line.onInvoice?.service?.until ?? null,
      terms_change: (line.onInvoice?.change as object | null | undefined) ?? dbNull,
    })),
  )
}

const isUnpaid = ({ status }: Order): boolean => status === 'created' || status === 'pending'

const toColumns = (order: Order) => ({
  customer_id: order.customerId,
  status: order.status,
  verifying_subscription_id: isVerification(order) && isUnpaid(order) ? order.subscriptionId : null,
  payment_method: order.paymentMethod,
  currency: order.currency,
  exchange_rate: order.exchangeRate?.rate ?? null,
  exchange_rate_source: order.exchangeRate?.source ?? null,
  exchange_rate_on: order.exchangeRate?.on ? new Date(order.exchangeRate.on) : null,
  vat_stated_in: order.vatStatedIn?.map((each) => ({ ...each })) ?? dbNull,
  tax_behavior: order.taxBehavior,
  subtotal: order.subtotal,
  total: order.total,
  reversed_subtotal: order.reversedSubtotal,
  refunding_subtotal: order.refundingSubtotal,
  tax_summary: order.taxSummary.map(storedTax),
  customer_details: { ...order.customerDetails },
  locale: order.locale,
  metadata: order.metadata,
  invoice_scope: order.invoice?.scope ?? null,
  invoice_number: order.invoice?.number ?? null,
  paid_at: order.paidAt,
  corrected_at: order.correctedAt,
  replaced_by_id: order.replacedById,
  withdrawal: order.withdrawal?.kind ?? null,
  begins_at_once: order.withdrawal?.beginsAtOnce ?? false,
})
