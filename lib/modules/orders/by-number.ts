import { afterPrefix } from '../../kernel/search-part.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Sorted by number, so that an exact match is first. `storefrontIds` is null for all storefronts. */
export async function ordersNumbered(
  sql: Sql,
  prefix: string,
  storefrontIds: string[] | null,
  take: number,
): Promise<{ id: string; number: string; tenant: Tenant }[]> {
  const rows = await sql.$queryRaw<{ id: string; number: string; storefrontId: string; testmode: boolean }[]>`
    SELECT id, invoice_number AS number, storefront_id AS "storefrontId", testmode FROM orders
    WHERE invoice_number ~>=~ ${prefix} AND invoice_number ~<~ ${afterPrefix(prefix)}
      AND (${storefrontIds}::text[] IS NULL OR storefront_id = ANY(${storefrontIds}))
    ORDER BY invoice_number USING ~<~ LIMIT ${take}`
  return rows.map(({ id, number, ...tenant }) => ({ id, number, tenant }))
}
