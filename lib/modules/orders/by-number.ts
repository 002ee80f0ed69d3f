import type { Sql } from '../../platform/db/db.ts'

/**
 * The orders of these storefronts whose invoice has this number: one in live mode, and one of each storefront in test
 * mode. Null is all storefronts.
 */
export async function ordersNumbered(sql: Sql, number: string, storefrontIds: string[] | null, take: number) {
  const where = { invoice_number: number, ...(storefrontIds && { storefront_id: { in: storefrontIds } }) }
  const rows = await sql.orders.findMany({ where, orderBy: { id: 'desc' }, take })
  return rows.map(({ id, storefront_id, testmode }) => ({ id, tenant: { storefrontId: storefront_id, testmode } }))
}
