import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { sellingOf } from './store.ts'

/** Refuses `storefront_suspended` where nothing new may be sold. It takes no lock, so sales in progress are completed. */
export async function requireSelling(sql: Sql, tenant: Tenant): Promise<void> {
  if ((await sellingOf(sql, tenant)).isSuspended) throw new Refusal('storefront_suspended')
}
