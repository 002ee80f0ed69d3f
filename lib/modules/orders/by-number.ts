import { afterPrefix } from '../../kernel/search-part.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Finds orders whose number starts with the prefix, sorted by number. If `storefrontIds` is null, searches all storefronts. */
export async function ordersNumbered(
  sql: Sql,
  prefix: string,
  storefrontIds: string[] | null,
  take: number,
): Promise<{ id: string; number: string; tenant: Tenant }[]> {
  const rows = await sql.$queryRaw<{ id: string; number: string; storefrontId: string; testmode: boolean }[]>`
    SELECT numbered.id, numbered.invoice_number AS number, s.id AS "storefrontId", numbered.testmode
    FROM storefronts s CROSS JOIN LATERAL (
      SELECT id, invoice_number, testmode FROM orders
      WHERE storefront_id = s.id AND invoice_number ~>=~ ${prefix} AND invoice_number ~<~ ${afterPrefix(prefix)}
      ORDER BY invoice_number USING ~<~ LIMIT ${take}) AS numbered
    WHERE ${storefrontIds}::text[] IS NULL OR s.id = ANY(${storefrontIds})
    ORDER BY numbered.invoice_number USING ~<~ LIMIT ${take}`
  return rows.map(({ id, number, ...tenant }) => ({ id, number, tenant }))
}

/** Returns the invoice number of each order, by order id; null for an order without a number. */
export async function numbersOf(
  sql: Sql,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const where = { id: { in: [...ids] }, ...ownedBy(tenant) }
  const rows = ids.length === 0 ? [] : await sql.orders.findMany({ where, select: { id: true, invoice_number: true } })
  return new Map(rows.map(({ id, invoice_number }) => [id, invoice_number]))
}
