import { ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { canonicalTaxId } from '../tax/rules/index.ts'
import type { Subscription } from './rules/index.ts'
import { lockSubscriptions } from './store.ts'

/**
 * Locks the renewing subscriptions whose tax ID equals `taxId`, which is in canonical form. Tax IDs have no index, so call this function only if the tax may
 * have changed.
 */
export async function lockChargedOnTaxId(sql: Sql, tenant: Tenant, taxId: string): Promise<Subscription[]> {
  const rows = await sql.$queryRaw<{ id: string; tax_id: string }[]>`
    SELECT id, billing_address ->> 'taxId' AS tax_id FROM subscriptions
    WHERE ${ownedRows(tenant)} AND status IN ('trial', 'active')
      AND billing_address ->> 'taxId' IS NOT NULL`
  const ids = rows.flatMap((row) => (canonicalTaxId(row.tax_id) === taxId ? [row.id] : []))
  return ids.length === 0 ? [] : lockSubscriptions(sql, tenant, ids)
}
