import type { z } from 'zod'
import { findCustomer } from '../customers/store.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Scope } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import { listEnvelope } from '../platform/paging.ts'
import type { listSubscriptions } from './contract.ts'
import { subscriptionResource } from './resource.ts'
import * as store from './store.ts'

/** One subscription, of one customer when a customer is named. Refuses `not_found`. */
export async function get(scope: Scope, id: string, customerId?: string) {
  const subscription = await store.findSubscription(db(), scope, id, customerId)
  if (!subscription) throw new Refusal('not_found')
  return subscriptionResource(subscription)
}

/** Refuses `not_found` when the customer that is named does not exist. */
export async function list(
  scope: Scope,
  query: z.infer<typeof listSubscriptions.query & object>,
  url: URL,
  customerId?: string,
) {
  if (customerId !== undefined && !(await findCustomer(db(), scope, customerId))) throw new Refusal('not_found')
  const page = await store.pageOfSubscriptions(db(), scope, query, customerId)
  return listEnvelope(page, query, url, subscriptionResource)
}
