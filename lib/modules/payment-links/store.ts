import type { Prisma } from '../../../prisma/client/client.ts'
import type { Currency } from '../../kernel/money.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { PaymentLink, PaymentLinkItem } from './rules/payment-link.ts'

const withItems = { items: { orderBy: { position: 'asc' } } } as const

export async function findPaymentLink(sql: Sql, tenant: Tenant, id: string): Promise<PaymentLink | null> {
  const row = await sql.payment_links.findFirst({ where: { id, ...ownedBy(tenant) }, include: withItems })
  return row && toPaymentLink(row)
}

/** Locks the link. Other changes of the link, and new checkouts through it, wait until the transaction ends. */
export async function lockPaymentLink(sql: Sql, tenant: Tenant, id: string): Promise<PaymentLink | null> {
  await sql.$queryRaw`SELECT 1 FROM payment_links WHERE id = ${id} FOR UPDATE`
  return findPaymentLink(sql, tenant, id)
}

/** Locks the link. Changes of the link wait until the transaction ends, but new checkouts through it do not wait. */
export async function sharePaymentLink(sql: Sql, tenant: Tenant, id: string): Promise<PaymentLink | null> {
  await sql.$queryRaw`SELECT 1 FROM payment_links WHERE id = ${id} FOR SHARE`
  return findPaymentLink(sql, tenant, id)
}

export async function findPaymentLinkAnywhere(
  sql: Sql,
  id: string,
): Promise<{ link: PaymentLink; tenant: Tenant } | null> {
  const row = await sql.payment_links.findUnique({ where: { id }, include: withItems })
  return row && { link: toPaymentLink(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

export async function insertPaymentLink(sql: Sql, tenant: Tenant, link: PaymentLink): Promise<void> {
  const inserted = insertRows(sql, 'payment_links', [
    {
      id: link.id,
      ...ownedBy(tenant),
      name: link.name,
      active: link.active,
      redirect_url_success: link.redirectUrlSuccess,
      locale: link.locale,
      metadata: link.metadata,
      created_at: link.createdAt,
    },
  ])
  // The items refer to the link, so the link must be inserted first. The database runs the statements in the order in
  // which they are sent.
  const items = insertRows(
    sql,
    'payment_link_items',
    link.items.map(({ productId, quantity, range, price, trialDays, metadata }, position) => ({
      payment_link_id: link.id,
      position,
      product_id: productId,
      quantity,
      min_quantity: range?.min ?? null,
      max_quantity: range?.max ?? null,
      price,
      trial_days: trialDays,
      metadata,
    })),
  )
  await Promise.all([inserted, items])
}

export async function savePaymentLink(
  sql: Sql,
  { id, name, active, redirectUrlSuccess, metadata }: PaymentLink,
): Promise<void> {
  await sql.payment_links.update({
    where: { id },
    data: { name, active, redirect_url_success: redirectUrlSuccess, metadata },
    select: { id: true },
  })
}

export function pageOfPaymentLinks(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { active }: { active?: boolean | undefined } = {},
): Promise<Page<PaymentLink>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.payment_links.findFirst({ ...asked, select: { id: true } }),
    filter: active === undefined ? {} : { active },
    find: async (asked) => (await sql.payment_links.findMany({ ...asked, include: withItems })).map(toPaymentLink),
  })
}

export interface LinkSales {
  readonly paymentLinkId: string
  readonly currency: Currency
  readonly orders: number
  /** The total of paid orders, including tax, in minor units, before refunds. */
  readonly total: bigint
}

export const salesOfLinks = (sql: Sql, tenant: Tenant, ids: readonly string[]): Promise<LinkSales[]> =>
  sql.$queryRaw<LinkSales[]>`
    SELECT c.payment_link_id AS "paymentLinkId", o.currency, count(*)::int AS orders, sum(o.total)::bigint AS total
    FROM checkouts c JOIN orders o ON o.checkout_id = c.id
    WHERE c.payment_link_id = ANY(${ids}) AND ${ownedRows(tenant, 'c')}
      AND o.status = 'paid'
    GROUP BY c.payment_link_id, o.currency ORDER BY c.payment_link_id, o.currency`

type Row = Prisma.payment_linksGetPayload<{ include: { items: true } }>

const toPaymentLink = (row: Row): PaymentLink => ({
  id: row.id,
  testmode: row.testmode,
  name: row.name,
  active: row.active,
  redirectUrlSuccess: row.redirect_url_success,
  locale: row.locale,
  metadata: row.metadata,
  createdAt: row.created_at,
  items: row.items.map(toItem),
})

const toItem = (row: Row['items'][number]): PaymentLinkItem => ({
  productId: row.product_id,
  quantity: row.quantity,
  range:
    row.min_quantity === null || row.max_quantity === null ? null : { min: row.min_quantity, max: row.max_quantity },
  price: row.price,
  trialDays: row.trial_days,
  metadata: row.metadata,
})
