import type { Prisma } from '../../../prisma/client/client.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Currency } from '../../kernel/money.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { dbNull, insertRows, type Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { BuyerNames } from '../customers/rules/billing-details.ts'
import type { OrderStatus } from '../orders/rules/order.ts'
import type { Checkout, CheckoutLine, CheckoutStatus, Draft } from './rules/index.ts'

const withLines = { lines: { orderBy: { position: 'asc' } } } as const

export async function findCheckout(sql: Sql, tenant: Tenant, id: string): Promise<Checkout | null> {
  const row = await sql.checkouts.findFirst({ where: { id, ...ownedBy(tenant) }, include: withLines })
  return row && toCheckout(row)
}

/** Locks the checkout, so that payment, cancellation, and expiry run one after the other. */
export async function lockCheckout(sql: Sql, tenant: Tenant, id: string): Promise<Checkout | null> {
  await sql.$queryRaw`SELECT 1 FROM checkouts WHERE id = ${id} FOR NO KEY UPDATE`
  return findCheckout(sql, tenant, id)
}

/** Finds a checkout of any tenant, because the URL of the hosted page does not name the tenant. */
export async function findCheckoutAnywhere(
  sql: Sql,
  id: string,
): Promise<{ checkout: Checkout; tenant: Tenant } | null> {
  const row = await sql.checkouts.findUnique({ where: { id }, include: withLines })
  return row && { checkout: toCheckout(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function checkoutOfForm(
  sql: Sql,
  tenant: Tenant,
  { paymentLinkId, formKey }: { paymentLinkId: string; formKey: string },
): Promise<Checkout | null> {
  const where = { payment_link_id: paymentLinkId, form_key: formKey, ...ownedBy(tenant) }
  const row = await sql.checkouts.findFirst({ where, include: withLines })
  return row && toCheckout(row)
}

export async function localeOfLine(sql: Sql, lineId: string): Promise<Locale | null> {
  const row = await sql.checkout_lines.findUnique({
    where: { id: lineId },
    select: { checkout: { select: { locale: true } } },
  })
  return (row?.checkout.locale ?? null) as Locale | null
}

export async function insertCheckout(
  sql: Sql,
  tenant: Tenant,
  checkout: Checkout,
  formKey: string | null,
): Promise<void> {
  const { draft } = checkout
  const inserted = insertRows(sql, 'checkouts', [
    {
      id: checkout.id,
      ...ownedBy(tenant),
      status: checkout.status,
      customer_id: checkout.customerId,
      tax_behavior: checkout.taxBehavior,
      redirect_url_success: checkout.redirectUrlSuccess,
      redirect_url_canceled: checkout.redirectUrlCanceled,
      metadata: checkout.metadata,
      locale: checkout.locale,
      payment_link_id: checkout.paymentLinkId,
      form_key: formKey,
      billing_address: checkout.billingAddress,
      draft: draft ? { ...draft } : dbNull,
      expires_at: checkout.expiresAt,
      created_at: checkout.createdAt,
    },
  ])
  // The database runs the statements in the order in which they are sent, so the checkout exists before its lines.
  const lines = insertRows(
    sql,
    'checkout_lines',
    checkout.lines.map((line, position) => ({
      id: line.id,
      checkout_id: checkout.id,
      position,
      product_id: line.productId,
      kind: line.billingInterval ? 'subscription_plan' : 'one_off_product',
      name: line.name,
      description: line.description,
      unit_price: line.unitPrice,
      quantity: line.quantity,
      product_type: line.productType,
      interval: line.billingInterval?.interval ?? null,
      interval_count: line.billingInterval?.intervalCount ?? null,
      trial_days: line.trialDays,
      metadata: line.metadata,
    })),
  )
  await Promise.all([inserted, lines])
}

export async function saveCheckout(sql: Sql, { id, status, customerId, draft }: Checkout): Promise<void> {
  await sql.checkouts.update({
    where: { id },
    data: { status, customer_id: customerId, draft: draft ? { ...draft } : dbNull },
    select: { id: true },
  })
}

export function pageOfCheckouts(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { customerId, status }: { customerId?: string | undefined; status?: CheckoutStatus | undefined } = {},
): Promise<Page<Checkout>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.checkouts.findFirst({ ...asked, select: { id: true } }),
    prefix: 'checkout_',
    filter: { ...(customerId !== undefined && { customer_id: customerId }), ...(status && { status }) },
    find: async (asked) => {
      const rows = await sql.checkouts.findMany({ ...asked, include: { lines: false } })
      return rows.map((row) => toCheckout({ ...row, lines: [] }))
    },
  })
}

export async function paidOrderIds(sql: Sql, checkoutIds: string[]): Promise<Map<string, string>> {
  const rows = await sql.orders.findMany({
    where: { checkout_id: { in: checkoutIds }, status: 'paid' },
    select: { id: true, checkout_id: true },
  })
  return new Map(rows.map((row) => [row.checkout_id ?? '', row.id]))
}

export interface OrderOfCheckout {
  readonly id: string
  readonly status: OrderStatus
  readonly total: bigint
  readonly currency: Currency
  readonly customerDetails: BuyerNames
}

/** Returns the order of each checkout, by checkout id. Includes orders in any status. */
export async function ordersOfCheckouts(
  sql: Sql,
  checkoutIds: readonly string[],
): Promise<Map<string, OrderOfCheckout>> {
  const rows = await sql.orders.findMany({
    where: { checkout_id: { in: [...checkoutIds] } },
    select: { id: true, status: true, checkout_id: true, total: true, currency: true, customer_details: true },
  })
  return new Map(
    rows.map(({ id, status, checkout_id, total, currency, customer_details }) => [
      checkout_id ?? '',
      { id, status, total, currency, customerDetails: customer_details as BuyerNames },
    ]),
  )
}

/** Sums unit price × quantity over the lines of each checkout. Returns EUR cents by checkout id. */
export async function pricesOfCheckouts(sql: Sql, checkoutIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await sql.checkout_lines.findMany({
    where: { checkout_id: { in: [...checkoutIds] } },
    select: { checkout_id: true, unit_price: true, quantity: true },
  })
  const prices = new Map<string, bigint>()
  for (const { checkout_id, unit_price, quantity } of rows)
    prices.set(checkout_id, (prices.get(checkout_id) ?? 0n) + unit_price * BigInt(quantity))
  return prices
}

type Row = Prisma.checkoutsGetPayload<{ include: { lines: true } }>

const toCheckout = (row: Row): Checkout => ({
  id: row.id,
  testmode: row.testmode,
  status: row.status,
  customerId: row.customer_id,
  taxBehavior: row.tax_behavior,
  redirectUrlSuccess: row.redirect_url_success,
  redirectUrlCanceled: row.redirect_url_canceled,
  metadata: row.metadata,
  locale: row.locale,
  paymentLinkId: row.payment_link_id,
  billingAddress: row.billing_address as Checkout['billingAddress'],
  draft: row.draft as Draft | null,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  lines: row.lines.map(toLine),
})

const toLine = (row: Row['lines'][number]): CheckoutLine => ({
  id: row.id,
  productId: row.product_id,
  name: row.name,
  description: row.description,
  unitPrice: row.unit_price,
  quantity: row.quantity,
  productType: row.product_type,
  billingInterval:
    row.interval && row.interval_count ? { interval: row.interval, intervalCount: row.interval_count } : null,
  trialDays: row.trial_days,
  metadata: row.metadata,
})
