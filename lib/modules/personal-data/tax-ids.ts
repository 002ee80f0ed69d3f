import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { canonicalTaxId } from '../tax/rules/index.ts'
import { checkTaxIdLater, taxIdKey } from '../tax/tasks.ts'
import { checkoutsOf } from './rows.ts'

export async function taxIdsOf(sql: Sql, customerId: string): Promise<string[]> {
  const rows = await sql.$queryRaw<Found[]>`
    SELECT billing_address->>'taxId' AS found FROM subscriptions WHERE customer_id = ${customerId}
    UNION SELECT billing_address->>'taxId' FROM checkouts WHERE id IN (${checkoutsOf(customerId)})
    UNION SELECT tax_id FROM tax_id_checks WHERE checkout_id IN (${checkoutsOf(customerId)})
    UNION SELECT tax_id FROM tax_id_checks WHERE customer_id = ${customerId}`
  return canonical([...rows, ...(await taxIdsOnDocuments(sql, customerId))])
}

export async function taxIdsOfCheckout(sql: Sql, checkoutId: string): Promise<string[]> {
  const where = { checkout_id: checkoutId }
  const rows = await sql.tax_id_checks.findMany({ where, select: { tax_id: true } })
  return canonical(rows.map(({ tax_id }) => ({ found: tax_id })))
}

interface Found {
  readonly found: string | null
}

const canonical = (rows: readonly Found[]): string[] => [
  ...new Set(rows.flatMap(({ found }) => (found === null ? [] : canonicalTaxId(found)))),
]

const taxIdsOnDocuments = (sql: Sql, customerId: string): Promise<Found[]> => sql.$queryRaw<Found[]>`
  SELECT customer_details->>'taxId' AS found FROM orders WHERE customer_id = ${customerId}
  UNION SELECT version.customer_details->>'taxId' FROM invoice_versions AS version
    JOIN orders ON orders.id = order_id WHERE orders.customer_id = ${customerId}
  UNION SELECT tax_id FROM sale_evidence JOIN orders ON orders.id = order_id WHERE orders.customer_id = ${customerId}`

/**
 * Erases tax IDs, except tax IDs that a retained document or another customer's subscription needs. The caller must
 * erase the customer's own rows first.
 */
export async function eraseTaxIds(
  sql: Sql,
  tenant: Tenant,
  taxIds: readonly string[],
  customerId: string | null = null,
): Promise<void> {
  if (taxIds.length === 0) return
  const needed = new Set([
    ...(customerId === null ? [] : canonical(await taxIdsOnDocuments(sql, customerId))),
    ...(await neededByOthers(sql, tenant, taxIds)),
  ])
  const erased = taxIds.filter((taxId) => !needed.has(taxId))
  await sql.tax_id_checks.deleteMany({ where: { tax_id: { in: erased }, ...ownedBy(tenant) } })
  await sql.$executeRaw`
    DELETE FROM tasks WHERE name = ${checkTaxIdLater.name} AND ${ownedRows(tenant)} AND data->>'taxId' = ANY (${[...taxIds]}::text[])
      AND (key = ANY (${erased.map((taxId) => taxIdKey(tenant, taxId))}::text[])
        OR split_part(key, ' ', 1) IN (SELECT id FROM subscriptions WHERE customer_id = ${customerId ?? ''}))`
}

async function neededByOthers(sql: Sql, tenant: Tenant, taxIds: readonly string[]): Promise<string[]> {
  const rows = await sql.$queryRaw<Found[]>`
    SELECT DISTINCT tax_id AS found FROM sale_evidence
    WHERE ${ownedRows(tenant)} AND tax_id = ANY (${[...taxIds]}::text[])
    UNION SELECT billing_address->>'taxId' FROM subscriptions
    WHERE ${ownedRows(tenant)} AND status <> 'canceled'
      AND billing_address->>'taxId' IS NOT NULL`
  return canonical(rows)
}
