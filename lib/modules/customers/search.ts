import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { fragment } from '../../platform/db/fragment.ts'
import { partSearch } from '../../platform/db/part-search.ts'

export interface FoundCustomer {
  readonly id: string
  readonly tenant: Tenant
  readonly email: string
  readonly name: string | null
  /** The matching company in the billing details. Null if another detail matched. */
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

const owner = { id: 'id', storefrontId: 'storefront_id', testmode: 'testmode' }

/** The number of newest rows per table that the search checks first. Tables with wider rows have a lower number. */
const [newestCustomers, newestSubscriptions, newestOrders] = [2_000, 1_000, 500]

/**
 * Returns the customers who match `pattern` (from `likePart`). Matches in billing details come first, and then matches
 * in the name or email address. Both groups are sorted newest first. `storefrontIds` is null for all storefronts.
 */
export async function customersWithPart(
  sql: Sql,
  pattern: string,
  storefrontIds: string[] | null,
  take: number,
): Promise<FoundCustomer[]> {
  const [named, companies] = await Promise.all([
    sql.$queryRaw<Row[]>(
      partSearch({
        table: fragment`customers`,
        columns: { ...owner, email: 'email', name: 'name', company: 'NULL' },
        matches: fragment`lower(COALESCE(name, '') || ' ' || email) LIKE ${pattern} AND erased_at IS NULL`,
        storefrontIds,
        take,
        newest: newestCustomers,
      }),
    ),
    ofCompanies(sql, pattern, storefrontIds, take),
  ])
  const found = new Map<string, FoundCustomer>()
  for (const { id, storefrontId, testmode, email, name, company } of [...companies, ...named])
    if (!found.has(id)) found.set(id, { id, email, name, company, tenant: { storefrontId, testmode } })
  return [...found.values()].slice(0, take)
}

function ofCompanies(sql: Sql, pattern: string, storefrontIds: string[] | null, take: number): Promise<Row[]> {
  const of = { storefrontIds, take }
  const subscribed = partSearch({
    table: fragment`subscriptions`,
    columns: { ...owner, customer_id: 'customer_id', company: "billing_address ->> 'companyName'" },
    matches: fragment`lower(COALESCE(billing_address ->> 'companyName', '') || ' ' || COALESCE(billing_address ->> 'fullName', '')) LIKE ${pattern}`,
    newest: newestSubscriptions,
    ...of,
  })
  const bought = partSearch({
    table: fragment`orders`,
    columns: { ...owner, customer_id: 'customer_id', company: "customer_details ->> 'companyName'" },
    matches: fragment`lower(customer_details ->> 'companyName') LIKE ${pattern} AND checkout_id IS NOT NULL AND customer_details ->> 'companyName' <> ''`,
    newest: newestOrders,
    ...of,
  })
  return sql.$queryRaw<Row[]>`
    SELECT DISTINCT ON (c.id) c.id, c.storefront_id AS "storefrontId", c.testmode, c.email, c.name, f.company
    FROM (SELECT customer_id, company FROM (${subscribed}) s UNION ALL SELECT customer_id, company FROM (${bought}) b) f
      JOIN customers c ON c.id = f.customer_id
    WHERE c.erased_at IS NULL ORDER BY c.id DESC, f.company NULLS LAST LIMIT ${take}`
}
