import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { Transaction } from '../events/transact.ts'
import type * as rules from './rules/index.ts'
import * as store from './store.ts'

export async function lockOrRefuse({ sql, ...tenant }: Transaction, id: string): Promise<rules.Subscription> {
  const subscription = await store.lockSubscription(sql, tenant, id)
  if (!subscription) throw new Refusal('not_found')
  return subscription
}

/**
 * Returns the tenant of a subscription. Searches all storefronts, because operators can see all storefronts. Throws
 * `validation_failed` if the subscription does not exist.
 */
export async function tenantOf(id: string): Promise<Tenant> {
  const tenant = await store.tenantOfSubscription(db(), id)
  if (!tenant) throw invalid('subscription', 'There is no subscription with this id.')
  return tenant
}
