import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { sellingOf } from './store.ts'

/**
 * Throws `storefront_suspended` during a suspension or a hold. Takes no lock, so a sale that has passed this check can
 * be completed after a suspension begins.
 */
export async function requireSelling(sql: Sql, tenant: Tenant): Promise<void> {
  if ((await sellingOf(sql, tenant)).isSuspended) throw new Refusal('storefront_suspended')
}
