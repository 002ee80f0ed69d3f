import { isId } from '../../kernel/ids.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import type { Entered } from './enter.ts'

/** Null as well for what is no id: an address can have a text that PostgreSQL refuses to look for. */
export const subscriptionOf = async ({ tenant, customer }: Entered, id: string): Promise<rules.Subscription | null> =>
  isId('subscription_', id) ? findSubscription(db(), tenant, id, customer.id) : null

/** Whether a cancellation would change something. */
export function isCancelable(subscription: rules.Subscription): boolean {
  const { status } = subscription
  return status === 'trial' || status === 'active' || status === 'paused'
}
