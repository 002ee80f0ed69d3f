import type { Interval } from '../../kernel/calendar.ts'
import type { Money } from '../../kernel/money.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { dbNull } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { Product, ProductKind, Terms } from './rules/index.ts'

export async function findProduct(sql: Sql, tenant: Tenant, kind: ProductKind, id: string): Promise<Product | null> {
  const row = await sql.products.findFirst({ where: { id, kind, ...ownedBy(tenant) } })
  return row && toProduct(row)
}

export async function findProducts(sql: Sql, tenant: Tenant, ids: string[]): Promise<Map<string, Product>> {
  const rows = await sql.products.findMany({ where: { id: { in: ids }, ...ownedBy(tenant) } })
  return new Map(rows.map((row) => [row.id, toProduct(row)]))
}

export async function lockProduct(sql: Sql, tenant: Tenant, kind: ProductKind, id: string): Promise<Product | null> {
  await sql.$queryRaw`SELECT 1 FROM products WHERE id = ${id} FOR NO KEY UPDATE`
  return findProduct(sql, tenant, kind, id)
}

export async function insertProduct(sql: Sql, tenant: Tenant, product: Product): Promise<void> {
  const { id, kind, taxBehavior, createdAt } = product
  await sql.products.create({
    data: { id, kind, ...ownedBy(tenant), tax_behavior: taxBehavior, created_at: createdAt, ...toColumns(product) },
    select: { id: true },
  })
}

export async function saveProduct(sql: Sql, product: Product): Promise<void> {
  await sql.products.update({ where: { id: product.id }, data: toColumns(product), select: { id: true } })
}

/**
 * Locks the plans until the commit. A concurrent review or update of these plans waits, so that its `wasEverUsed` finds
 * the subscriptions that this transaction inserts.
 */
export async function sharePlans(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.$queryRaw`SELECT 1 FROM products WHERE id = ANY(${ids}) ORDER BY id FOR SHARE`
}

/**
 * Whether a subscription was ever on the plan or is scheduled to change to the plan. The caller must lock the plan
 * first. One statement reads `plan_uses` and `subscriptions`, because a concurrent renewal can move a scheduled change
 * from one table to the other.
 */
export async function wasEverUsed(sql: Sql, planId: string): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ used: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM plan_uses WHERE plan_id = ${planId}) OR EXISTS (
      SELECT 1 FROM subscriptions WHERE scheduled_update IS NOT NULL AND scheduled_update->'plan'->>'planId' = ${planId}
    ) AS used`
  return row?.used ?? false
}

export function pageOfProducts(
  sql: Sql,
  tenant: Tenant,
  kind: ProductKind,
  query: PageQuery,
  includeArchived: boolean,
): Promise<Page<Product>> {
  return page(query, {
    own: { kind, ...ownedBy(tenant) },
    one: (asked) => sql.products.findFirst({ ...asked, select: { id: true } }),
    filter: includeArchived ? {} : { archived_at: null },
    find: async (asked) => (await sql.products.findMany(asked)).map(toProduct),
  })
}

export interface Reviewable {
  readonly product: Product
  readonly tenant: Tenant
}

export async function reviewQueue(sql: Sql, take: number): Promise<Reviewable[]> {
  const ids = await idsInReview(sql, take)
  const rows = await sql.products.findMany({ where: { id: { in: ids } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [{ product: toProduct(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }] : []
  })
}

export const countReviews = async (sql: Sql, atMost: number): Promise<number> => (await idsInReview(sql, atMost)).length

async function idsInReview(sql: Sql, take: number): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM products WHERE review IS NOT NULL AND NOT testmode
    ORDER BY coalesce(submitted_at, created_at), id LIMIT ${take}::int`
  return rows.map(({ id }) => id)
}

export async function findTenantOf(sql: Sql, id: string): Promise<Reviewable | null> {
  const row = await sql.products.findUnique({ where: { id } })
  return row && { product: toProduct(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

type Row = Awaited<ReturnType<Sql['products']['findUniqueOrThrow']>>

interface StoredTerms {
  name: string
  description: string
  price: string
  productType: string
  interval?: string
  intervalCount?: number
}

const euro = (minor: bigint): Money => ({ minor, currency: 'EUR' })

function toColumns({ terms, status, review, submittedAt, pendingTerms, rejectionReason, archivedAt }: Product) {
  return {
    name: terms.name,
    description: terms.description,
    price: terms.price.minor,
    product_type: terms.productType,
    interval: terms.billingInterval?.interval ?? null,
    interval_count: terms.billingInterval?.intervalCount ?? null,
    status,
    review,
    submitted_at: submittedAt,
    pending: pendingTerms ? storedTerms(pendingTerms) : dbNull,
    rejection_reason: rejectionReason,
    archived_at: archivedAt,
  }
}

const storedTerms = ({ name, description, price, productType, billingInterval }: Terms) => ({
  name,
  description,
  price: String(price.minor),
  productType,
  ...billingInterval,
})

const cycleOf = (interval: string | null | undefined, count: number | null | undefined): Terms['billingInterval'] =>
  interval && count ? { interval: interval as Interval, intervalCount: count } : null

function toProduct(row: Row): Product {
  const pending = row.pending as StoredTerms | null
  return {
    id: row.id,
    kind: row.kind,
    testmode: row.testmode,
    terms: {
      name: row.name,
      description: row.description,
      price: euro(row.price),
      productType: row.product_type,
      billingInterval: cycleOf(row.interval, row.interval_count),
    },
    taxBehavior: row.tax_behavior,
    status: row.status,
    review: row.review,
    submittedAt: row.review && (row.submitted_at ?? row.created_at),
    pendingTerms: pending && {
      name: pending.name,
      description: pending.description,
      price: euro(BigInt(pending.price)),
      productType: pending.productType as Terms['productType'],
      billingInterval: cycleOf(pending.interval, pending.intervalCount),
    },
    rejectionReason: row.rejection_reason,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
  }
}
