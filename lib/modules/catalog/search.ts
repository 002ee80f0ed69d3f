import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** `pattern` comes from `likePart`. `storefrontIds` is null for all storefronts. The index `products_search` serves the search. */
export async function productsWithPart(
  sql: Sql,
  pattern: string,
  storefrontIds: string[] | null,
  take: number,
): Promise<{ id: string; name: string; tenant: Tenant }[]> {
  const rows = await sql.$queryRaw<{ id: string; name: string; storefrontId: string; testmode: boolean }[]>`
    SELECT id, name, storefront_id AS "storefrontId", testmode FROM products WHERE lower(name) LIKE ${pattern}
      AND (${storefrontIds}::text[] IS NULL OR storefront_id = ANY(${storefrontIds}))
    ORDER BY id DESC LIMIT ${take}`
  return rows.map(({ id, name, ...tenant }) => ({ id, name, tenant }))
}
