import { isId } from '../../kernel/ids.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, newestSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import type { Entered } from './enter.ts'

/** Also null for a text that is not an id, because PostgreSQL refuses to search for some texts. */
export const subscriptionOf = async ({ tenant, customer }: Entered, id: string): Promise<rules.Subscription | null> =>
  isId('subscription_', id) ? findSubscription(db(), tenant, id, customer.id) : null

/** A limit that no customer reaches. */
const most = 200

export const runningSubscriptions = async ({ tenant, customer }: Entered): Promise<rules.Subscription[]> =>
  (await newestSubscriptionsOf(db(), tenant, customer.id, most)).filter(({ status }) => status !== 'canceled')

export function isCancelable(subscription: rules.Subscription): boolean {
  const { status } = subscription
  return status === 'trial' || status === 'active' || status === 'paused'
}
