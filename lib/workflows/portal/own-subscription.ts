import { isId } from '../../kernel/ids.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { findSubscription } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import type { Entered } from './enter.ts'

/** Also null for a text that is not an id, because PostgreSQL refuses to search for some texts. */
export const subscriptionOf = async ({ tenant, customer }: Entered, id: string): Promise<rules.Subscription | null> =>
  isId('subscription_', id) ? findSubscription(db(), tenant, id, customer.id) : null

/** Whether a cancellation would change something. */
export function isCancelable(subscription: rules.Subscription): boolean {
  const { status } = subscription
  return status === 'trial' || status === 'active' || status === 'paused'
}
