import { isId } from '../../kernel/ids.ts'
import type * as rules from '../../modules/subscriptions/rules/index.ts'
import { findSubscription, newestSubscriptionsOf } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import type { Entered } from './enter.ts'

/** Returns null without a query if the text is not an id, because PostgreSQL rejects some texts, such as texts with a NUL character. */
export const subscriptionOf = async ({ tenant, customer }: Entered, id: string): Promise<rules.Subscription | null> =>
  isId('subscription_', id) ? findSubscription(db(), tenant, id, customer.id) : null

const most = 200

export const runningSubscriptions = async ({ tenant, customer }: Entered): Promise<rules.Subscription[]> =>
  (await newestSubscriptionsOf(db(), tenant, customer.id, most)).filter(({ status }) => status !== 'canceled')

export function isCancelable(subscription: rules.Subscription): boolean {
  const { status } = subscription
  return status === 'trial' || status === 'active' || status === 'paused'
}
