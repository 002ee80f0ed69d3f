import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface FoundCustomer {
  readonly id: string
  readonly tenant: Tenant
  readonly email: string
  readonly name: string | null
  /** The company in the billing details that matched; null if another detail matched. */
  readonly company: string | null
}

interface Row {
  id: string
  storefrontId: string
  testmode: boolean
  email: string
  name: string | null
  company: string | null
}

/**
 * The customers whose name, email address, or company matches `pattern` (from `likePart`), newest first.
 * `storefrontIds` is null for all. The indexes customers_search, subscriptions_search, and orders_search serve the
 * expressions.
 */
export async function customersWithPart(
  sql: Sql,
  pattern: string,
  storefrontIds: string[] | null,
  take: number,
): Promise<FoundCustomer[]> {
  const [named, companies] = await Promise.all([
    sql.$queryRaw<Row[]>`
      SELECT id, storefront_id AS "storefrontId", testmode, email, name, NULL AS company FROM customers
      WHERE lower(COALESCE(name, '') || ' ' || email) LIKE ${pattern} AND erased_at IS NULL
        AND (${storefrontIds}::text[] IS NULL OR storefront_id = ANY(${storefrontIds}))
      ORDER BY id DESC LIMIT ${take}`,
    ofCompanies(sql, pattern, storefrontIds, take),
  ])
  const found = new Map<string, FoundCustomer>()
  for (const { storefrontId, testmode, ...row } of [...companies, ...named])
    if (!found.has(row.id)) found.set(row.id, { ...row, tenant: { storefrontId, testmode } })
  return [...found.values()].slice(0, take)
}

const ofCompanies = (sql: Sql, pattern: string, storefrontIds: string[] | null, take: number): Promise<Row[]> =>
  sql.$queryRaw<Row[]>`
    WITH subscribed AS (
      SELECT customer_id, billing_address ->> 'companyName' AS company FROM subscriptions
      WHERE lower(COALESCE(billing_address ->> 'companyName', '') || ' ' || COALESCE(billing_address ->> 'fullName', '')) LIKE ${pattern}
        AND (${storefrontIds}::text[] IS NULL OR storefront_id = ANY(${storefrontIds}))
      ORDER BY id DESC LIMIT ${take}
    ), bought AS (
      SELECT customer_id, customer_details ->> 'companyName' AS company FROM orders
      WHERE lower(customer_details ->> 'companyName') LIKE ${pattern} AND checkout_id IS NOT NULL
        AND customer_details ->> 'companyName' <> ''
        AND (${storefrontIds}::text[] IS NULL OR storefront_id = ANY(${storefrontIds}))
      ORDER BY id DESC LIMIT ${take}
    )
    SELECT DISTINCT ON (c.id) c.id, c.storefront_id AS "storefrontId", c.testmode, c.email, c.name, f.company
    FROM (SELECT customer_id, company FROM subscribed UNION ALL SELECT customer_id, company FROM bought) f JOIN customers c ON c.id = f.customer_id
    WHERE c.erased_at IS NULL ORDER BY c.id DESC, f.company NULLS LAST LIMIT ${take}`
