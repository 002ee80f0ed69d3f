import { momentOfRow, ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { dbNull } from '../../platform/db/db.ts'
import type { BillingDetails } from '../customers/rules/billing-details.ts'
import type { BillingUpdateDraft, BillingUpdateLink } from './rules/link.ts'

export async function insertLink(sql: Sql, tenant: Tenant, link: BillingUpdateLink): Promise<void> {
  const { id, subscriptionId, redirectUrlSuccess, redirectUrlCanceled, billingAddress, expiresAt, createdAt } = link
  const data = {
    id,
    ...ownedBy(tenant),
    subscription_id: subscriptionId,
    redirect_url_success: redirectUrlSuccess,
    redirect_url_canceled: redirectUrlCanceled,
    billing_address: billingAddress ? { ...billingAddress } : dbNull,
    expires_at: expiresAt,
    created_at: createdAt,
  }
  await sql.billing_update_links.create({ data, select: { id: true } })
}

/** Finds a link of any tenant, because the URL of the hosted page names no tenant. */
export async function findLinkAnywhere(
  sql: Sql,
  id: string,
): Promise<{ link: BillingUpdateLink; tenant: Tenant } | null> {
  const row = await sql.billing_update_links.findUnique({ where: { id } })
  return row && { link: toLink(row), tenant: { storefrontId: row.storefront_id, testmode: row.testmode } }
}

/** Locks the link, so that the second of two concurrent submits waits for the first. */
export async function lockLink(sql: Sql, id: string): Promise<BillingUpdateLink> {
  await sql.$queryRaw`SELECT 1 FROM billing_update_links WHERE id = ${id} FOR UPDATE`
  return toLink(await sql.billing_update_links.findUniqueOrThrow({ where: { id } }))
}

export async function saveDraft(sql: Sql, id: string, draft: BillingUpdateDraft): Promise<void> {
  const data = { draft: JSON.parse(JSON.stringify(draft)) }
  await sql.billing_update_links.update({ where: { id }, data, select: { id: true } })
}

type Row = Awaited<ReturnType<Sql['billing_update_links']['findUniqueOrThrow']>>

const toLink = (row: Row): BillingUpdateLink => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  redirectUrlSuccess: row.redirect_url_success,
  redirectUrlCanceled: row.redirect_url_canceled,
  billingAddress: row.billing_address as Partial<BillingDetails> | null,
  draft: row.draft as BillingUpdateDraft | null,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

/** Deletes the drafts and prefilled addresses of links that have expired on their storefront's clock. */
export async function clearExpiredLinks(sql: Sql): Promise<void> {
  await sql.$executeRaw`
    UPDATE billing_update_links AS link SET draft = NULL, billing_address = NULL FROM clocks
    WHERE clocks.storefront_id = link.storefront_id AND (draft IS NOT NULL OR billing_address IS NOT NULL)
    AND expires_at < ${momentOfRow}`
}
