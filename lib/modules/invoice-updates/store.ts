import { momentOfRow, ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { CustomerDetails } from '../orders/rules/order.ts'
import type { InvoiceUpdateDraft, InvoiceUpdateLink } from './rules/link.ts'
import type { InvoiceVersion } from './rules/update.ts'

export async function insertLink(sql: Sql, tenant: Tenant, link: InvoiceUpdateLink): Promise<void> {
  const { id, orderId, expiresAt, createdAt } = link
  const data = { id, ...ownedBy(tenant), order_id: orderId, expires_at: expiresAt, created_at: createdAt }
  await sql.invoice_update_links.create({ data, select: { id: true } })
}

/** Finds a link of any tenant, because the URL of the hosted page names no tenant. */
export async function findLinkAnywhere(
  sql: Sql,
  id: string,
): Promise<{ link: InvoiceUpdateLink; tenant: Tenant } | null> {
  const row = await sql.invoice_update_links.findUnique({ where: { id } })
  return row && { link: toLink(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

/** Locks the link, so that the second of two concurrent submits waits for the first. */
export async function lockLink(sql: Sql, id: string): Promise<InvoiceUpdateLink> {
  await sql.$queryRaw`SELECT 1 FROM invoice_update_links WHERE id = ${id} FOR UPDATE`
  return toLink(await sql.invoice_update_links.findUniqueOrThrow({ where: { id } }))
}

export async function saveDraft(sql: Sql, id: string, draft: InvoiceUpdateDraft): Promise<void> {
  const data = { draft: JSON.parse(JSON.stringify(draft)) }
  await sql.invoice_update_links.update({ where: { id }, data, select: { id: true } })
}

/** Stores a version of the buyer's details. The caller must lock the order first. */
export async function insertVersion(
  sql: Sql,
  tenant: Tenant,
  { id, orderId, version, details, issuedAt }: InvoiceVersion & { id: string; orderId: string },
): Promise<void> {
  const data = {
    id,
    ...ownedBy(tenant),
    order_id: orderId,
    version,
    customer_details: { ...details },
    issued_at: issuedAt,
  }
  await sql.invoice_versions.create({ data, select: { id: true } })
}

export async function earlierVersions(sql: Sql, orderId: string): Promise<InvoiceVersion[]> {
  const rows = await sql.invoice_versions.findMany({ where: { order_id: orderId }, orderBy: { version: 'asc' } })
  return rows.map((row) => ({
    version: row.version,
    details: row.customer_details as CustomerDetails,
    issuedAt: row.issued_at,
  }))
}

type Row = Awaited<ReturnType<Sql['invoice_update_links']['findUniqueOrThrow']>>

const toLink = (row: Row): InvoiceUpdateLink => ({
  id: row.id,
  orderId: row.order_id,
  draft: row.draft as InvoiceUpdateDraft | null,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

/** Deletes the drafts of links that have expired on their storefront's clock. */
export async function clearExpiredDrafts(sql: Sql): Promise<void> {
  await sql.$executeRaw`
    UPDATE invoice_update_links AS link SET draft = NULL FROM clocks WHERE clocks.storefront_id = link.storefront_id AND draft IS NOT NULL
    AND expires_at < ${momentOfRow}`
}
